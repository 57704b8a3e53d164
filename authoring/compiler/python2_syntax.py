"""Python 2's own syntax into Python 3's: print, except, raise, backticks, ``<>``, octals, long integers, tabs.

What the words mean is the business of :mod:`authoring.compiler.python2`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from authoring.compiler.python2_lexer import NotPython2, Token, simple_statements, split, text_of, tokens


def modern_syntax(code: str) -> str:
    """The same program, so that Python 3 can parse it.

    Raises:
        NotPython2: it holds something without a counterpart.
    """
    found = tokens(code)
    _indentation(found)
    for token in found:
        _literal(token)
    _backticks(found)
    keeps_print = bool(re.search(r"(?m)^\s*from\s+__future__\s+import\s[^\n]*\bprint_function\b", code))
    words: dict[str, bool] = {"comma": False, "write": ".write(" in code.replace(" ", "")}
    pieces, done = [], 0
    for start, end in simple_statements(found):
        pieces.append(text_of(found[done:start]))
        pieces.append(_statement(found[start:end], keeps_print, words))
        done = end
    pieces.append(text_of(found[done:]))
    if words["comma"] and words["write"]:
        raise NotPython2("print with a comma at its end beside write(): Python 2 puts a blank where no token tells")
    return "".join(pieces)


def _indentation(found: list[Token]) -> None:
    """Tabs at the start of a line reach to the next multiple of eight."""
    fresh = True
    for token in found:
        if fresh and token.kind == "blank" and token.depth == 0 and "\n" not in token.text:
            token.text = token.text.replace("\f", "").expandtabs(8)
        fresh = token.kind == "newline"


def _literal(token: Token) -> None:
    if token.kind == "number":
        text = token.text.rstrip("lL")
        if re.fullmatch(r"0\d+", text):
            if re.search("[89]", text):
                raise NotPython2(f"the number {text}")
            text = "0o" + (text.lstrip("0") or "0")
        token.text = text
    elif token.kind == "operator" and token.text == "<>":
        token.text = "!="
    elif token.kind == "string" and token.text[:2].lower() == "ur":
        token.text = token.text[1:]


def _backticks(found: list[Token]) -> None:
    ticks = [token for token in found if token.kind == "operator" and token.text == "`"]
    if len(ticks) % 2:
        raise NotPython2("a backtick without its pair")
    for number, token in enumerate(ticks):
        token.text = ")" if number % 2 else "repr("


def _statement(part: Sequence[Token], keeps_print: bool, words: dict[str, bool]) -> str:
    code = list(part)
    tail: list[Token] = []
    while code and not code[-1].is_code:
        tail.insert(0, code.pop())
    first = code[0]
    if first.kind != "name":
        return text_of(_lambdas(code)) + text_of(tail)
    if first.text == "print" and not keeps_print and not _is_assigned(code):
        made = _print(_lambdas(code[1:]), words)
    elif first.text == "except":
        made = _except(code)
    elif first.text == "raise":
        made = _raise(code)
    elif first.text == "exec":
        raise NotPython2("exec executes text")
    elif first.text == "def":
        made = _def(code)
    else:
        made = text_of(_lambdas(code))
    return made + text_of(tail)


def _is_assigned(code: Sequence[Token]) -> bool:
    rest = [token.text for token in code[1:] if token.is_code]
    return bool(rest) and rest[0] in ("=", ".")


def _print(body: Sequence[Token], words: dict[str, bool]) -> str:
    body = [token for token in body if token.kind != "comment"]
    extra = ""
    rest = [token for token in body if token.is_code]
    parts = [text_of(part).strip() for part in split(body, ",")] if rest else []
    if rest and rest[0].text == ">>":
        extra = f"file={parts[0][2:].strip()}"
        parts = parts[1:]
    if not parts:
        return f"print({extra})"
    if parts[-1] == "":
        parts.pop()
        extra = ", ".join(filter(None, [extra, 'end=" "']))
        words["comma"] = True
    if not all(parts):
        raise NotPython2("a print without a value between commas")
    if len(parts) == 1 and not extra and _in_brackets(rest):
        return f"print{parts[0]}"
    return f"print({', '.join(filter(None, [*parts, extra]))})"


def _in_brackets(code: Sequence[Token]) -> bool:
    """One pair of brackets around everything, with no comma of its own inside: not a tuple."""
    if code[0].text != "(" or code[-1].text != ")":
        return False
    inner, base = code[1:-1], code[0].depth
    return bool(inner) and not any(
        token.depth == base or (token.depth == base + 1 and token.text in (",", "for")) for token in inner
    )


def _except(code: Sequence[Token]) -> str:
    parts = split(code, ",")
    if len(parts) == 2:
        return f"{text_of(parts[0]).rstrip()} as {text_of(parts[1]).strip()}"
    return text_of(code)


def _raise(code: Sequence[Token]) -> str:
    parts = split(code, ",")
    if len(parts) == 2:
        return f"{text_of(parts[0]).rstrip()}({text_of(parts[1]).strip()})"
    if len(parts) > 2:
        raise NotPython2("raise with a traceback")
    return text_of(code)


def _def(code: Sequence[Token]) -> str:
    previous = ""
    for token in code:
        if token.text == "(" and token.depth == 1 and previous in ("(", ","):
            raise NotPython2("a parameter that is a tuple")
        previous = token.text if token.is_code else previous
    return text_of(_lambdas(code))


def _lambdas(code: Sequence[Token]) -> list[Token]:
    """``lambda (a, b), c: e`` becomes ``lambda t1, c: (lambda a, b, c: e)(*t1, c)``, from the inside out."""
    result = list(code)
    for at in reversed(range(len(result))):
        if result[at].kind == "name" and result[at].text == "lambda":
            result = _one_lambda(result, at)
    return result


def _one_lambda(code: list[Token], at: int) -> list[Token]:
    depth = code[at].depth
    colon = next((i for i in range(at, len(code)) if code[i].text == ":" and code[i].depth == depth), None)
    if colon is None:
        raise NotPython2("a lambda without a colon")
    parameters = [text_of(part).strip() for part in split(code[at + 1 : colon], ",")]
    if not any(parameter.startswith("(") for parameter in parameters):
        return code
    end = next(
        (
            i
            for i in range(colon + 1, len(code))
            if code[i].depth < depth or (code[i].depth == depth and code[i].text == ",")
        ),
        len(code),
    )
    if any("=" in parameter or parameter.startswith("*") for parameter in parameters):
        raise NotPython2("a lambda with a tuple and a default")
    outer, inner, passed = [], [], []
    for number, parameter in enumerate(parameters, 1):
        if parameter.startswith("("):
            if "(" in parameter[1:]:
                raise NotPython2("a parameter that is a tuple of tuples")
            outer.append(f"py2_pair_{number}")
            inner.append(parameter[1:-1].strip(" ,"))
            passed.append(f"*py2_pair_{number}")
        else:
            outer.append(parameter)
            inner.append(parameter)
            passed.append(parameter)
    body = text_of(code[colon + 1 : end]).strip()
    text = f"lambda {', '.join(outer)}: (lambda {', '.join(inner)}: {body})({', '.join(passed)})"
    return [*code[:at], Token("name", text, depth), *code[end:]]
