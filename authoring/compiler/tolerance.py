"""Real-number answers: the tolerance that a statement declares, and how exact the reference itself is.

A statement that accepts an absolute or relative error is taken with that bound as an absolute one: the stricter
reading, which the prompt then states in place of the original sentence. The reference has to be more exact than that by
itself: it is run once more with a tiny error added to every operation on real numbers, and its answers must not move.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections
from bootcamp_kit.answers import close
from bootcamp_kit.python_source import parse_python

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z*#-])|\n\s*\n")
_ERROR = re.compile(r"\b(?:absolute|relative)\b[^.]{0,60}\berror\b|\berror\b[^.]{0,60}\b(?:absolute|relative)\b")
_SIZE = re.compile(r"\b10 ?(?:\^|\*\*)? ?\{?\(? ?[-−–] ?(\d{1,2})\b|\b1e-0?(\d{1,2})\b|\b0\.(0{1,11}1)\b")
_FORMALLY = re.compile(
    r"^Formally\b|\bjury'?s? answer\b|\bchecker program\b|\blet'?s assume that your answer\b|\blet your answer be\b"
    r"|\byour answer (?:is|will be) (?:accepted|considered correct)\b",
    re.IGNORECASE,
)
_REAL = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?")
LEAST, MOST = 1e-12, 1e-2
NOISE, SHARE = 2.0**-46, 0.1
"""How large the added errors are; which share of the tolerance they may come to in the answer."""


def stated(sections: Sections) -> float:
    """The one tolerance that the statement declares; 0.0 where it declares none, or several.

    Its place is the Output section, or notes where the Output section is silent.
    """
    for text in (sections.output, sections.notes):
        found = {size for part in _END.split(text) if _ERROR.search(part.lower()) for size in _sizes(part)}
        if found:
            return found.pop() if len(found) == 1 else 0.0
    return 0.0


def _sizes(text: str) -> list[float]:
    found = list[float]()
    for match in _SIZE.finditer(plain(text)):
        digits = match[1] or match[2] or str(len(match[3]))
        value = float(f"1e-{int(digits)}")
        if LEAST <= value <= MOST:
            found.append(value)
    return found


def taken_out(sections: Sections) -> Sections:
    """The statement without its sentences on tolerance; the prompt states it in its own words."""

    def without(text: str) -> str:
        parts = re.split(r"((?<=[.!?])\s+(?=[A-Z*#-])|\n\s*\n)", text)
        kept, drop = list[str](), False
        for at in range(0, len(parts), 2):
            sentence, gap = parts[at], parts[at + 1] if at + 1 < len(parts) else ""
            drop = bool(_ERROR.search(sentence.lower()) and _sizes(sentence)) or bool(_FORMALLY.search(sentence))
            kept += ["", gap if "\n\n" in gap else ""] if drop else [sentence, gap]
        return "".join(kept).strip()

    return replace(sections, output=without(sections.output), notes=without(sections.notes))


def is_real(token: str) -> bool:
    """Whether a printed token is a number, with or without decimals."""
    return _REAL.fullmatch(token) is not None and len(token) <= 400


def same(printed: str, other: str, tolerance: float) -> bool:
    """Whether two outputs are one number each, within the tolerance."""
    one, two = printed.split(), other.split()
    if len(one) != 1 or len(two) != 1 or not (is_real(one[0]) and is_real(two[0])):
        return one == two
    return close(float(one[0]), float(two[0]), absolute=tolerance)


def check_exact(printed: Sequence[str], noisy: Sequence[str], tolerance: float) -> None:
    """The reference prints enough digits, and its rounding errors do not reach them.

    Raises:
        Refused: they do.
    """
    digits = max((len(text.strip().partition(".")[2]) for text in printed if "e" not in text.lower()), default=0)
    if 0.5 * 10.0**-digits > tolerance * 0.5:
        raise Refused(Stage.CASES, f"the reference prints {digits} digits, too few for a tolerance of {tolerance:g}")
    for one, other in zip(printed, noisy, strict=True):
        if not same(one, other, tolerance * SHARE + 10.0**-digits):
            raise Refused(
                Stage.CASES,
                f"the reference is not exact enough for a tolerance of {tolerance:g}: with an error of {NOISE:.0e} in"
                f" each operation it prints {other.strip()[:30]} for {one.strip()[:30]}",
            )


_NOISY = '''\
class _Noisy(float):
    """A real number whose operations are a little wrong."""
    _state = [12345]
    def __new__(cls, value):
        state = cls._state
        state[0] = (state[0] * 1103515245 + 12345) %% 2147483648
        return float.__new__(cls, value * (1.0 + (state[0] / 1073741824.0 - 1.0) * %(noise)r))
    def __add__(self, other): return _noisy(float.__add__(self, other))
    def __radd__(self, other): return _noisy(float.__radd__(self, other))
    def __sub__(self, other): return _noisy(float.__sub__(self, other))
    def __rsub__(self, other): return _noisy(float.__rsub__(self, other))
    def __mul__(self, other): return _noisy(float.__mul__(self, other))
    def __rmul__(self, other): return _noisy(float.__rmul__(self, other))
    def __truediv__(self, other): return _noisy(float.__truediv__(self, other))
    def __rtruediv__(self, other): return _noisy(float.__rtruediv__(self, other))
    def __pow__(self, other): return _noisy(float.__pow__(self, other))
    def __rpow__(self, other): return _noisy(float.__rpow__(self, other))
    def __neg__(self): return _Noisy(float.__neg__(self))
def _noisy(value):
    return _Noisy(value) if type(value) is float and value - value == 0 else value
'''


class _Wrapped(ast.NodeTransformer):
    """Every place where a real number comes from."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return _wrapped(node) if isinstance(node.value, float) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _wrapped(node) if isinstance(node.op, ast.Div | ast.Pow) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return _wrapped(node)


def _wrapped(node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name("_noisy", ast.Load()), [node], []), node)


def with_noise(code: str) -> str:
    """The program with a tiny error in every operation on real numbers, the same ones on every run."""
    tree = parse_python(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in ("_noisy", "_Noisy"):
            raise Refused(Stage.SOLUTION, f"the reference uses the name {node.id}")
    tree = ast.fix_missing_locations(_Wrapped().visit(tree))
    future = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    tree.body = [node for node in tree.body if node not in future]
    head = "".join(f"{ast.unparse(node)}\n" for node in future)
    return f"{head}{_NOISY % {'noise': NOISE}}\n{ast.unparse(tree)}\n"
