"""How a dossier looks: light and dark, wide and narrow, on paper; no script, nothing loaded."""

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --page: #f6f7f8; --card: #fff; --line: #d9dde2;
  --ok: #1a7f37; --warn: #9a6700; --bad: #c5221f; --track: #e8ebee; --on: #fff; --mark: #fff3c4; --link: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --soft: #9aa4b0; --page: #0f1216; --card: #181c22;
  --line: #2c333b; --ok: #4cc273; --warn: #e0b040; --bad: #ff7b72; --track: #272d35; --on: #0f1216; --mark: #4a3d12;
  --link: #79b8ff; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 70rem; padding: 1.6rem 1.2rem 4rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .7rem; } h3 { font-size: 1rem; margin: 0 0 .4rem; }
p { margin: .3rem 0; overflow-wrap: anywhere; } .soft { color: var(--soft); font-size: .9rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .82rem; }
code { overflow-wrap: anywhere; } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; margin: .6rem 0; padding: 0; list-style: none; }
.chips li { border: 1px solid var(--line); background: var(--card); border-radius: 999px; padding: .1rem .7rem;
  font-size: .88rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1rem;
  margin: 0 0 .9rem; min-width: 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: .9rem;
  align-items: start; }
.strip { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: .6rem; }
.strip .card { margin: 0; padding: .6rem .8rem; border-left: 4px solid var(--line); }
.strip b { display: block; font-size: .92rem; } .strip p { font-size: .88rem; color: var(--soft); }
.is-pass { border-left-color: var(--ok) !important; } .is-fail { border-left-color: var(--bad) !important; }
.is-error, .is-inconclusive, .is-major, .is-minor { border-left-color: var(--warn) !important; }
.ok { color: var(--ok); } .warn { color: var(--warn); } .bad { color: var(--bad); }
svg { display: block; width: 100%; max-width: 34rem; height: auto; }
svg text { font-family: inherit; fill: var(--ink); } svg .label { font-size: 12px; } svg .value { font-size: 12px; }
svg .tick { font-size: 10px; fill: var(--soft); } svg .on { font-size: 12px; fill: var(--on); font-weight: 600; }
svg .track { fill: var(--track); } svg rect.ok { fill: var(--ok); } svg rect.warn { fill: var(--warn); }
svg rect.bad { fill: var(--bad); } svg .limit { stroke: var(--bad); stroke-dasharray: 3 3; }
svg .chance { stroke: var(--soft); stroke-dasharray: 2 3; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .4rem 0; font-size: .9rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
details { margin: .4rem 0; } summary { cursor: pointer; font-weight: 600; padding: .3rem 0; }
.code { counter-reset: line; overflow-x: auto; font-family: ui-monospace, Menlo, Consolas, monospace;
  font-size: .8rem; line-height: 1.5; }
.code div { counter-increment: line; white-space: pre; padding-left: 3.4em; text-indent: -3.4em; min-height: 1.5em; }
.code div::before { content: counter(line); display: inline-block; width: 2.6em; margin-right: .8em; text-align: right;
  text-indent: 0; color: var(--soft); user-select: none; }
.code .marked { background: var(--mark); }
.code p { counter-increment: none; white-space: normal; margin: 0 0 0 3.4em; color: var(--bad);
  font-family: system-ui; }
.warning { border-left: 4px solid var(--bad); padding: .5rem .9rem; background: var(--card); border-radius: 6px; }
.diff ins { color: var(--ok); text-decoration: none; } .diff del { color: var(--bad); text-decoration: none; }
@media (max-width: 30rem) { .queue :is(td, th):nth-child(3) { display: none; }
  body { padding: 1rem .8rem 3rem; } h1 { font-size: 1.35rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; } }
@media print { body { background: #fff; max-width: none; } details { break-inside: avoid; } }
"""
