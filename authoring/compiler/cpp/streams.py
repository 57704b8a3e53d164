"""Writes input and output: ``cin``, ``cout``, ``scanf``, ``printf`` and their like."""

from __future__ import annotations

import re
from collections.abc import Sequence

from authoring.compiler.cpp.base import RANK
from authoring.compiler.cpp.calls import Calls
from authoring.compiler.cpp.nodes import (
    BOOL,
    INT,
    INTEGERS,
    VOID,
    Binary,
    Call,
    Choice,
    Expr,
    Member,
    Name,
    NotCovered,
    Number,
    Text,
    Type,
    Unary,
)
from authoring.compiler.cpp.values import Value

STREAM = Type("stream")
_READS = {"n": "number", "d": "real", "w": "word", "c": "char", "r": "raw", "l": "line"}
_PART = re.compile(
    r"%(?P<flags>[-+ 0#]*)(?P<width>\d*)(?:\.(?P<digits>\d+))?(?P<size>ll|l|I64|L|h)?(?P<kind>[a-zA-Z%])"
)
_IGNORED = {"tie", "sync_with_stdio", "flush", "clear", "exceptions"}


class Streams(Calls):
    """Reading and printing."""

    def stream_method(self, expr: Call, stream: str, name: str) -> Value:
        """``cin.tie(0)`` and its like."""
        if name in _IGNORED or stream == "ios":
            return Value("", VOID)
        if stream == "cin" and name in ("ignore", "get") and len(expr.args) == 0:
            return Value(f"{self._reader()}.get()", INT, atom=True)
        if stream == "cout" and name in ("precision", "setf"):
            return self._set_style(expr, name)
        raise NotCovered(f"{stream}.{name}", expr.line)

    def _set_style(self, expr: Call, name: str) -> Value:
        if name == "setf":
            self.line("style[1] = True")
        else:
            self.line(f"style[0] = {self.value(expr.args[0]).text}")
        self.helper("real_text")
        return Value("", VOID)

    def _reader(self) -> str:
        self.helper("Reader")
        return "reader"

    # ------------------------------------------------------------------ input

    def streamed(self, expr: Binary) -> Value | None:
        """``cin >> a >> b``; None where the left end is no stream."""
        targets, left = list[Expr](), expr
        while isinstance(left, Binary) and left.op == ">>":
            targets.insert(0, left.right)
            left = left.left  # type: ignore[assignment]
        if not (isinstance(left, Name) and left.name == "cin"):
            return None
        places = [self.place(target) for target in targets if not self._is_ws(target)]
        kinds = [self._kind(place, expr.line) for place in places]
        return self._read(kinds, [t for t in targets if not self._is_ws(t)], places, expr.line, all_of_them=True)

    @staticmethod
    def _is_ws(target: Expr) -> bool:
        return isinstance(target, Name) and target.name == "ws"

    def _kind(self, place: Value, line: int) -> str:
        type_ = place.type
        if type_.name in ("int", "long", "uint", "ulong", "bool"):
            return "n"
        if type_.name == "array" and type_.args[0].name == "char":
            return "w"
        kinds = {"char": "c", "string": "w", "double": "d"}
        if type_.name not in kinds:
            raise NotCovered(f"reading a {type_.name}", line)
        return kinds[type_.name]

    def _read(
        self, kinds: Sequence[str], targets: Sequence[Expr], places: Sequence[Value], line: int, *, all_of_them: bool
    ) -> Value:
        """Reads whose success is asked for."""
        name = self.temporary()
        self.line(f"{name} = {self._reader()}.several({''.join(kinds)!r})")
        asked = [kind for kind in kinds if kind in _READS]
        for number, (kind, target, place) in enumerate(zip(asked, targets, places, strict=True)):
            self.line(f"if len({name}) > {number}:")
            self.depth += 1
            self._store_read(target, place, f"{name}[{number}]", kind, line)
            self.depth -= 1
        if all_of_them:
            return Value(f"len({name}) == {len(asked)}", BOOL)
        return Value(f"(len({name}) or -1)", INT, atom=True)

    def _store_read(self, target: Expr, place: Value, text: str, kind: str, line: int) -> None:
        if place.type.name in ("array", "iter") and kind in ("w", "l"):
            base, at = self.base_and_place(place, line)
            self.line(f"{self.helper('put')}({base}, {at}, {text} + [0])")
            return
        if isinstance(target, Name):
            known = self.look_up(target.name, line)
            self.rebind(known)
            if known.alias and place.type.name == "string":
                self.line(f"{place.text}[:] = {text}")
                return
        self.line(f"{place.text} = {text}")

    def read_plainly(self, kinds: Sequence[str], targets: Sequence[Expr], places: Sequence[Value], line: int) -> None:
        """Reads whose success nobody asks for."""
        reader, left = self._reader(), list(zip(targets, places, strict=True))
        for kind in kinds:
            if kind == " ":
                self.line(f"{reader}.skip()")
            elif kind not in _READS:
                self.line(f"{reader}.literal({kind!r})")
            else:
                target, place = left.pop(0)
                self._store_read(target, place, f"{reader}.{_READS[kind]}()", kind, line)

    def scanned(self, expr: Call, *, plainly: bool = False) -> Value:
        """``scanf``."""
        if not expr.args or not isinstance(expr.args[0], Text):
            raise NotCovered("scanf without a format", expr.line)
        kinds = _scan_kinds(expr.args[0].value, expr.line)
        targets, places = list[Expr](), list[Value]()
        for kind, arg in zip([kind for kind in kinds if kind in _READS], expr.args[1:], strict=False):
            target, place = self._scan_target(kind, arg, expr.line)
            targets.append(target)
            places.append(place)
        if len(targets) != sum(kind in _READS for kind in kinds):
            raise NotCovered("scanf with too few places", expr.line)
        if plainly:
            self.read_plainly(kinds, targets, places, expr.line)
            return Value("", VOID)
        return self._read(kinds, targets, places, expr.line, all_of_them=False)

    def _scan_target(self, kind: str, arg: Expr, line: int) -> tuple[Expr, Value]:
        if isinstance(arg, Unary) and arg.op == "&":
            place = self.place(arg.inner)
            if kind == "w" and place.type.name == "char":
                return arg, self.value(arg)
            return arg.inner, place
        value = self.value(arg)
        if kind in ("w", "l") and value.type.name in ("iter", "array"):
            return arg, value
        if value.type.name in ("iter", "array"):  # a + i
            base, at = self.base_and_place(value, line)
            return arg, Value(f"{base}[{at}]", value.type.args[0], atom=True)
        raise NotCovered("scanf of this", line)

    def input_function(self, name: str, values: Sequence[Value], expr: Call) -> Value | None:
        """``getchar``, ``getline``, ``gets``, ``puts``, ``putchar``; None for another function."""
        match name:
            case "getchar" | "getchar_unlocked" | "getc":
                return Value(f"{self._reader()}.get()", INT, atom=True)
            case "getline" if len(values) == 2 and isinstance(expr.args[0], Name) and expr.args[0].name == "cin":
                return self._read("l", expr.args[1:], [values[1]], expr.line, all_of_them=True)
            case "gets" | "fgets":
                return self._read("l", expr.args[:1], values[:1], expr.line, all_of_them=True)
            case "puts":
                self.write([(*self._shown(values[0], expr.line),), ("\\n", "")])
                return Value("", VOID)
            case "putchar":
                self.write([("%s", f"chr({values[0].text})")])
                return Value("", VOID)
        return None

    # ------------------------------------------------------------------ output

    def write(self, parts: Sequence[tuple[str, str]]) -> None:
        """One call of ``write``: (format, value) pairs, the value "" for plain text."""
        parts = [part for part in parts if part != ("", "")]
        if not parts:
            return
        format_ = "".join(part for part, _ in parts)
        texts = [text for _, text in parts if text]
        self.used.add("write")
        if not texts:
            plain = format_.replace("%%", "%")
            self.line(f'write("{plain}")')
        elif format_ == "%s":
            self.line(f"write({texts[0]})")
        else:
            values = (
                texts[0]
                if len(texts) == 1 and "," not in texts[0] and " " not in texts[0]
                else (f"({', '.join(texts)}{',' if len(texts) == 1 else ''})")
            )
            self.line(f'write("{format_}" % {values})')

    def _shown(self, value: Value, line: int) -> tuple[str, str]:
        """How ``cout`` writes a value."""
        type_ = value.type
        if type_.name == "char":
            return "%s", f"chr({value.text})"
        if type_.name in INTEGERS:
            return "%d", f"bool({value.text})" if value.truth else value.text
        if type_.name == "double":
            return "%s", f"{self.helper('real_text')}({value.text}, style)"
        if type_.name == "cstr":
            return "%s", value.text
        if type_.name == "string":
            return "%s", f"{self.helper('text')}({value.text})"
        if type_.name in ("iter", "array") and type_.args[0].name == "char":
            c_text = f"{self.helper('c_text')}({self._place(value, type_, type_, line).text})"
            return "%s", f"{self.helper('text')}({c_text})"
        raise NotCovered(f"printing a {type_.name}", line)

    def printed(self, expr: Binary) -> bool:
        """``cout << …`` as lines; False where the left end is no stream."""
        parts, left = list[Expr](), expr
        while isinstance(left, Binary) and left.op == "<<":
            parts.insert(0, left.right)
            left = left.left  # type: ignore[assignment]
        if not isinstance(left, Name) or left.name not in ("cout", "cerr", "clog"):
            return False
        if left.name != "cout":
            return True
        pending = list[tuple[str, str]]()
        for part in parts:
            mark = len(self.lines)
            piece = self._piece(part)
            if len(self.lines) > mark and pending:
                lines, self.lines = self.lines[mark:], self.lines[:mark]
                self.write(pending)
                self.lines += lines
                pending = []
            pending += piece
        self.write(pending)
        return True

    def _piece(self, part: Expr) -> list[tuple[str, str]]:
        if isinstance(part, Text):
            return [(_escaped(part.value), "")]
        if isinstance(part, Number) and part.type.name == "char":
            return [(_escaped(chr(int(part.value))), "")]
        if isinstance(part, Name) and part.name in ("endl", "flush", "fixed", "ends"):
            if part.name == "fixed":
                self.helper("real_text")
                self.line("style[1] = True")
            return [("\\n", "")] if part.name == "endl" else []
        if isinstance(part, Call) and isinstance(part.callee, Name) and part.callee.name in ("setprecision", "setw"):
            if part.callee.name == "setw":
                raise NotCovered("setw", part.line)
            self.helper("real_text")
            self.line(f"style[0] = {self.value(part.args[0]).text}")
            return []
        if isinstance(part, Choice):
            return [self._shown(self.value(part), part.line)]
        return [self._shown(self.value(part), part.line)]

    def formatted(self, expr: Call) -> Value:
        """``printf``."""
        if not expr.args or not isinstance(expr.args[0], Text):
            if len(expr.args) == 1:
                self.write([self._shown(self.value(expr.args[0]), expr.line)])
                return Value("", VOID)
            raise NotCovered("printf without a format", expr.line)
        values = self.in_order(*(lambda arg=arg: self.value(arg) for arg in expr.args[1:]))
        parts, at, text = list[tuple[str, str]](), 0, expr.args[0].value
        for match in _PART.finditer(text):
            parts.append((_escaped(text[at : match.start()]), ""))
            at = match.end()
            if match["kind"] == "%":
                parts.append(("%%", ""))
                continue
            if not values:
                raise NotCovered("printf with too few values", expr.line)
            parts.append(self._format_part(match, values.pop(0), expr.line))
        if "%" in text[at:] or values:
            raise NotCovered("this format of printf", expr.line)
        self.write([*parts, (_escaped(text[at:]), "")])
        return Value("", VOID)

    def _format_part(self, match: re.Match[str], value: Value, line: int) -> tuple[str, str]:
        head = f"%{match['flags']}{match['width']}"
        kind = match["kind"]
        if kind in "diu" and value.type.name in INTEGERS:
            return f"{head}d", f"bool({value.text})" if value.truth else value.text
        if kind in "xXo" and value.type.name in INTEGERS:
            return f"{head}{kind}", value.text
        if kind == "c" and value.type.name in INTEGERS:
            return f"{head}s", f"chr({value.text})"
        if kind in "fgeFGE" and value.type.name == "double":
            return f"{head}.{match['digits'] or '6'}{kind}", value.text
        if kind == "s" and match["digits"] is None and value.type.name not in RANK:
            return f"{head}s", self._shown(value, line)[1]
        raise NotCovered(f"{match[0]} of a {value.type.name}", line)


def _escaped(text: str) -> str:
    """Text inside a double-quoted literal that is a format."""
    return repr("'" + text)[2:-1].replace('"', '\\"').replace("%", "%%")


def _scan_kinds(text: str, line: int) -> list[str]:
    """A format as the letters that ``Reader.several`` knows."""
    found, at = list[str](), 0
    while at < len(text):
        if text[at].isspace():
            found.append(" ")
            at += 1
        elif text[at] != "%":
            if text[at] in "".join(_READS):
                raise NotCovered("this format of scanf", line)
            found.append(text[at])
            at += 1
        else:
            match = re.match(r"%(?:\d+)?(?:ll|l|I64|L|h)?([diufgsc])", text[at:])
            lined = re.match(r"%\[\^\\?\n\](s?)", text[at:])
            if lined and not lined[1]:
                found.append("l")
                at += len(lined[0])
                continue
            if match is None or match[0][1].isdigit():
                raise NotCovered("this format of scanf", line)
            found.append({"d": "n", "i": "n", "u": "n", "f": "d", "g": "d", "s": "w", "c": "r"}[match[1]])
            at += len(match[0])
    return found


__all__ = ["STREAM", "Member", "Streams"]
