"""C++ text as tokens: comments taken out, macros expanded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from authoring.compiler.cpp.nodes import NotCovered

MAX_TOKENS = 20_000
_TOKEN = re.compile(
    r"(?P<id>[A-Za-z_]\w*)"
    r"|(?P<num>0[xX][0-9a-fA-F']+[uUlL]*|0[bB][01']+[uUlL]*|(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUlLfF]*)"
    r'|(?P<str>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>'(?:\\.|\\x[0-9a-fA-F]+|[^'\\\n])+')"
    r"|(?P<op><<=|\.\.\.|->|::|\+\+|--|&&|\|\||==|!=|<=|>=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|[-+*/%&|^~!<>=?:;,.(){}\[\]#])"
    r"|(?P<space>[ \t\f\v\r]+|\n)"
)
_WORDS = {"and": "&&", "or": "||", "not": "!", "xor": "^", "bitand": "&", "bitor": "|"}
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_DEFINED = {"ONLINE_JUDGE": (None, "1")}


@dataclass(frozen=True, slots=True)
class Token:
    """One token; ``glued`` where no space stands before it."""

    kind: str
    text: str
    line: int
    glued: bool = False


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro; ``params`` is None for one without parentheses."""

    params: tuple[str, ...] | None
    body: tuple[Token, ...]


def tokens(code: str) -> list[Token]:
    """All tokens of a program after its preprocessor, with an ``end`` token.

    Raises:
        NotCovered: a directive or character that is not known.
    """
    code = _COMMENT.sub(_without, code.replace("\\\r\n", " ").replace("\\\n", " "))
    macros = {name: Macro(params, tuple(_split(body, 0))) for name, (params, body) in _DEFINED.items()}
    found: list[Token] = []
    live: list[bool] = []
    for number, line in enumerate(code.split("\n"), 1):
        if line.lstrip().startswith("#"):
            _directive(line.strip()[1:].strip(), number, macros, live)
        elif all(live):
            found += _split(line, number)
    expanded = _expanded(found, macros, frozenset())
    return [*_joined(expanded), Token("end", "", expanded[-1].line if expanded else 0)]


def _without(match: re.Match[str]) -> str:
    text = match[0]
    return text if text[0] in "\"'" else " " + "\n" * text.count("\n")


def _split(line: str, number: int) -> list[Token]:
    found, at, glued = list[Token](), 0, False
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            raise NotCovered(f"the character {line[at]!a}", number)
        at, kind = match.end(), str(match.lastgroup)
        if kind == "space":
            glued = False
            continue
        text = match[0]
        if kind == "id" and text in _WORDS:
            kind, text = "op", _WORDS[text]
        found.append(Token(kind, text, number, glued))
        glued = True
    return found


def _directive(text: str, line: int, macros: dict[str, Macro], live: list[bool]) -> None:
    word, _, rest = text.partition(" ")
    word, rest = (match[1], match[2]) if (match := re.match(r"(\w+)\s*(.*)", text, re.DOTALL)) else (word, rest)
    if word in ("ifdef", "ifndef"):
        live.append((rest.strip() in macros) == (word == "ifdef"))
    elif word == "if":
        test = re.fullmatch(r"(!?)\s*defined\s*\(?\s*(\w+)\s*\)?|([01])", rest.strip())
        if test is None:
            raise NotCovered(f"#if {rest[:40]}", line)
        live.append(test[3] == "1" if test[3] else (test[2] in macros) == (not test[1]))
    elif word == "else" and live:
        live[-1] = not live[-1]
    elif word == "endif" and live:
        live.pop()
    elif word not in ("include", "pragma", "define", "undef", "error", "") or (word == "error" and all(live)):
        raise NotCovered(f"#{word}", line)
    elif all(live) and word == "define":
        _define(rest, line, macros)
    elif all(live) and word == "undef":
        macros.pop(rest.strip(), None)
    elif all(live) and word == "include" and '"' in rest:
        raise NotCovered(f"#include {rest[:40]}", line)


def _define(rest: str, line: int, macros: dict[str, Macro]) -> None:
    match = re.match(r"(\w+)(\(([^()]*)\))?(.*)", rest, re.DOTALL)
    if match is None:
        raise NotCovered("#define", line)
    if "#" in match[4]:
        # Harmless as long as it is never used: almost always a debugging aid.
        macros[match[1]] = Macro(("...",), ())
        return
    params = None if match[2] is None else tuple(part.strip() for part in match[3].split(",") if part.strip())
    macros[match[1]] = Macro(params, tuple(_split(match[4], line)))


def _expanded(found: list[Token], macros: Mapping[str, Macro], inside: frozenset[str]) -> list[Token]:
    out, at = list[Token](), 0
    while at < len(found):
        token = found[at]
        macro = macros.get(token.text) if token.kind == "id" and token.text not in inside else None
        at += 1
        if macro is None:
            out.append(token)
        elif macro.params is None:
            body = [replace(one, line=token.line) for one in macro.body]
            out += _expanded(body, macros, inside | {token.text})
        elif at < len(found) and found[at].text == "(":
            args, at = _arguments(found, at)
            if "..." in macro.params:
                raise NotCovered(f"the macro {token.text}", token.line)
            if args == [[]] and not macro.params:
                args = []
            if len(args) != len(macro.params):
                raise NotCovered(f"the macro {token.text} with {len(args)} arguments", token.line)
            given = {name: _expanded(arg, macros, inside) for name, arg in zip(macro.params, args, strict=True)}
            body = list[Token]()
            for one in macro.body:
                body += (
                    given.get(one.text, [replace(one, line=token.line)])
                    if one.kind == "id"
                    else [replace(one, line=token.line)]
                )
            out += _expanded(body, macros, inside | {token.text})
        else:
            out.append(token)
        if len(out) > MAX_TOKENS:
            raise NotCovered("a program that macros blow up")
    return out


def _arguments(found: list[Token], at: int) -> tuple[list[list[Token]], int]:
    depth, args = 0, list[list[Token]]([[]])
    for place in range(at, len(found)):
        text, is_op = found[place].text, found[place].kind == "op"
        if is_op and text in "([{":
            depth += 1
            if depth == 1:
                continue
        elif is_op and text in ")]}":
            depth -= 1
            if depth == 0:
                return args, place + 1
        if is_op and text == "," and depth == 1:
            args.append([])
        else:
            args[-1].append(found[place])
    raise NotCovered("a macro's arguments that do not end", found[at].line)


def _joined(found: list[Token]) -> list[Token]:
    """String literals side by side are one."""
    out: list[Token] = []
    for token in found:
        if token.kind == "str" and out and out[-1].kind == "str":
            out[-1] = replace(out[-1], text=out[-1].text[:-1] + token.text[1:])
        else:
            out.append(token)
    return out
