"""Reads types: the words that name them, and declarators."""

from __future__ import annotations

import re
from collections.abc import Sequence

from authoring.compiler.cpp.nodes import (
    AUTO,
    CHAR,
    DOUBLE,
    INT,
    LONG,
    UINT,
    ULONG,
    Expr,
    NotCovered,
    Number,
    Type,
)
from authoring.compiler.cpp.tokens import Token

_SIMPLE = {"int", "long", "short", "char", "bool", "double", "float", "unsigned", "signed", "void", "auto"}
_DRESS = {"const", "static", "inline", "constexpr", "register", "mutable", "volatile", "typename", "struct", "class"}
_DRESS |= {"extern", "virtual", "friend", "explicit"}
_ALIASES = {"size_t": ULONG, "int64_t": LONG, "uint64_t": ULONG, "int32_t": INT, "uint32_t": UINT, "__int128": LONG}
_ALIASES |= {
    "__int64": LONG,
    "__int128_t": LONG,
    "ptrdiff_t": LONG,
    "time_t": LONG,
    "clock_t": LONG,
    "int_fast64_t": LONG,
    "string": Type("string"),
}
_OPAQUE = "mt19937 mt19937_64 random_device ifstream ofstream ostream istream fstream stringstream istringstream"
_OPAQUE += " ostringstream"
_ALIASES |= {name: Type("opaque", of=name) for name in _OPAQUE.split()}
TEMPLATES = {"vector": "vector", "pair": "pair", "map": "map", "set": "set", "multiset": "multiset", "queue": "queue"}
TEMPLATES |= {"stack": "stack", "deque": "deque", "priority_queue": "priority_queue", "array": "array"}
TEMPLATES |= {"unordered_map": "umap", "unordered_set": "uset", "greater": "greater", "less": "less"}
TEMPLATES |= {"function": "function", "tuple": "tuple", "list": "", "bitset": "", "multimap": "", "complex": ""}
_ESCAPES = {"n": 10, "t": 9, "0": 0, "r": 13, "\\": 92, "'": 39, '"': 34, "a": 7, "b": 8, "f": 12, "v": 11}


class Reading:
    """A place in the tokens, and the names of types known so far."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens, self.at = tokens, 0
        self.types: list[dict[str, Type]] = [{}]
        self.hidden: list[set[str]] = [set()]

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    @property
    def line(self) -> int:
        """Its line."""
        return self.token.line

    def peek(self, ahead: int = 1) -> Token:
        """A later token."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def is_op(self, *texts: str) -> bool:
        """Whether the next token is one of these."""
        return self.token.kind in ("op", "id") and self.token.text in texts

    def take(self, *texts: str) -> bool:
        """Pass over one of these, if it is next."""
        if self.is_op(*texts):
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        """Pass over this one."""
        if not self.take(text):
            raise NotCovered(f"“{self.token.text[:20]}” where “{text}” was expected", self.line)

    def name(self) -> str:
        """Pass over a name."""
        token = self.token
        if token.kind != "id":
            raise NotCovered(f"“{token.text[:20]}” where a name was expected", token.line)
        self.at += 1
        return token.text

    def known(self, name: str) -> Type | None:
        """The type of that name, unless a variable hides it."""
        for types, hidden in zip(reversed(self.types), reversed(self.hidden), strict=True):
            if name in hidden:
                return None
            if name in types:
                return types[name]
        return _ALIASES.get(name)

    def open_scope(self) -> None:
        """A block begins."""
        self.types.append({})
        self.hidden.append(set())

    def close_scope(self) -> None:
        """A block ends."""
        self.types.pop()
        self.hidden.pop()

    def starts_type(self) -> bool:
        """Whether a type may stand here."""
        token = self.token
        if token.kind != "id":
            return False
        if token.text == "std" and self.peek().text == "::":
            token, after = self.peek(2), self.peek(3)
            if token.text in _ALIASES:
                return True
        else:
            after = self.peek()
        if token.text in _SIMPLE or token.text in _DRESS:
            return True
        if self.known(token.text) is not None:
            return True
        return token.text in TEMPLATES and after.text == "<" and not self.is_hidden(token.text)

    def is_hidden(self, name: str) -> bool:
        """Whether a variable has this name."""
        return any(name in hidden for hidden in self.hidden)

    def type(self) -> Type:
        """A type without its declarator; ``&`` behind it is left."""
        words = list[str]()
        found: Type | None = None
        while True:
            if self.token.text == "std" and self.peek().text == "::":
                self.at += 2
            if self.token.kind != "id":
                break
            text = self.token.text
            if text in _DRESS:
                self.at += 1
            elif text in _SIMPLE:
                words.append(text)
                self.at += 1
            elif words or found is not None:
                break
            elif (known := self.known(text)) is not None:
                found = known
                self.at += 1
            elif text in TEMPLATES and self.peek().text == "<":
                found = self._template()
            else:
                break
        if found is not None:
            if self.is_op("::"):
                return self._inner(found)
            return found
        return _simple(words, self.line)

    def _inner(self, outer: Type) -> Type:
        self.need("::")
        word = self.name()
        if word in ("iterator", "const_iterator"):
            return Type("iter", outer.args, of=outer.name)
        if (word == "value_type" and outer.args) or word == "size_type":
            return ULONG if word == "size_type" else outer.args[0]
        raise NotCovered(f"the type ::{word}", self.line)

    def _template(self) -> Type:
        line, word = self.line, self.name()
        self.need("<")
        args, extent = list[Type](), None
        while not self.is_op(">"):
            if word == "array" and args:
                extent = self.sum_expression()
            elif word == "function":
                args.append(self.type_with_marks())
                self.need("(")
                while not self.take(")"):
                    args.append(self.type_with_marks())
                    if self.token.kind == "id" and not self.starts_type():
                        self.at += 1
                    self.take(",")
            else:
                args.append(self.type_with_marks())
            if not self.take(","):
                break
        self.need(">")
        name = TEMPLATES[word]
        if not name:
            raise NotCovered(f"the type {word}", line)
        if name in ("map", "umap", "set", "uset", "multiset") and len(args) > (2 if name in ("map", "umap") else 1):
            raise NotCovered(f"a {word} with an order of its own", line)
        return Type("pair" if name == "tuple" else name, tuple(args), extent=extent)

    def type_with_marks(self) -> Type:
        """A type with ``&`` or ``*`` behind it."""
        found = self.type()
        while self.is_op("&", "&&", "*", "const"):
            if self.token.text == "*":
                found = Type("iter", (found,), of="array")
            elif self.token.text != "const":
                found = referred(found)
            self.at += 1
        return found

    def sum_expression(self) -> Expr:
        """An expression inside ``<…>``."""
        raise NotImplementedError

    def literal(self) -> Expr:
        """A number or character."""
        token = self.token
        self.at += 1
        if token.kind == "char":
            codes = characters(token.text[1:-1], token.line)
            if len(codes) != 1:
                raise NotCovered(f"the character {token.text}", token.line)
            return Number(token.line, codes[0], CHAR)
        return _number(token)


def referred(type_: Type) -> Type:
    """A reference to it."""
    return Type(type_.name, type_.args, type_.of, type_.extent, ref=True)


def plain(type_: Type) -> Type:
    """The type without its reference."""
    return Type(type_.name, type_.args, type_.of, type_.extent) if type_.ref else type_


def _simple(words: Sequence[str], line: int) -> Type:
    if not words:
        raise NotCovered("a type that is not known", line)
    if "float" in words:
        raise NotCovered("the type float", line)
    unsigned, longs = "unsigned" in words, words.count("long")
    if words[0] in ("void", "auto") and len(words) == 1:
        return AUTO if words[0] == "auto" else Type("void")
    if "double" in words:
        return DOUBLE
    if "bool" in words:
        return Type("bool")
    if "char" in words or "short" in words:
        if unsigned:
            raise NotCovered("the type unsigned " + ("char" if "char" in words else "short"), line)
        return CHAR if "char" in words else INT
    if longs:
        return ULONG if unsigned else LONG
    return UINT if unsigned else INT


def characters(text: str, line: int) -> list[int]:
    """The codes of a literal's characters."""
    found, at = list[int](), 0
    while at < len(text):
        if text[at] != "\\":
            found += text[at].encode()
            at += 1
            continue
        octal = re.match(r"\\([0-7]{1,3})", text[at:])
        if octal:
            found.append(int(octal[1], 8) & 255)
            at += len(octal[0])
        elif text[at + 1] in _ESCAPES:
            found.append(_ESCAPES[text[at + 1]])
            at += 2
        else:
            raise NotCovered(f"the escape {text[at : at + 2]}", line)
    if any(code > 126 for code in found):
        raise NotCovered("a literal beyond ASCII", line)
    return found


def _number(token: Token) -> Number:
    text = token.text.replace("'", "").lower()
    is_hex = text.startswith("0x")
    body = text.rstrip("ul" if is_hex else "ulf")
    suffix = text[len(body) :]
    if not is_hex and ("." in body or "e" in body):
        return Number(token.line, float(body), DOUBLE)
    if "f" in suffix:
        raise NotCovered(f"the number {token.text}", token.line)
    base = 16 if is_hex else 2 if body.startswith("0b") else 8 if len(body) > 1 and body[0] == "0" else 10
    value = int(body, base)
    wide = "l" in suffix or value >= 1 << 31
    if "u" in suffix:
        return Number(token.line, value, ULONG if "l" in suffix or value >= 1 << 32 else UINT)
    if is_hex and "l" not in suffix and 1 << 31 <= value < 1 << 32:
        return Number(token.line, value, UINT)
    if value >= 1 << 63:
        return Number(token.line, value, ULONG)
    return Number(token.line, value, LONG if wide else INT)
