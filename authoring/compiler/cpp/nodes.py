"""The syntax tree of a C++ program, and its types."""

from __future__ import annotations

from dataclasses import dataclass, field


class NotCovered(Exception):
    """The program uses something that the translator does not know. The message says what, and the line."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(f"{what} (line {line})" if line else what)


@dataclass(frozen=True, slots=True)
class Type:
    """A type: a scalar's or container's name and its arguments.

    Attributes:
        name: ``int``, ``uint``, ``long``, ``ulong``, ``char``, ``bool``, ``double``, ``void``, ``auto``, ``string``,
            ``cstr`` (a literal), ``array``, ``iter`` (a pointer or an iterator), a container, or ``struct``.
        args: Of a container; of an ``array`` and an ``iter`` the element.
        of: The name of a ``struct`` or of a template's parameter; of an ``iter``, the container's name.
        extent: How many an ``array`` holds; None where the initialiser says it.
        ref: A reference.
    """

    name: str
    args: tuple[Type, ...] = ()
    of: str = ""
    extent: Expr | None = field(default=None, compare=False)
    ref: bool = field(default=False, compare=False)


INTEGERS = frozenset({"int", "uint", "long", "ulong", "char", "bool"})
SCALARS = INTEGERS | {"double", "cstr"}
SEQUENCES = frozenset({"vector", "string", "array", "deque", "stack", "queue"})
ORDERED = frozenset({"set", "multiset", "map"})

INT, LONG, ULONG, UINT, CHAR, BOOL, DOUBLE = (
    Type(name) for name in ("int", "long", "ulong", "uint", "char", "bool", "double")
)
STRING, LITERAL, VOID, AUTO = Type("string"), Type("cstr"), Type("void"), Type("auto")


@dataclass(slots=True)
class Node:
    """Where it stands."""

    line: int


@dataclass(slots=True)
class Expr(Node):
    """An expression."""


@dataclass(slots=True)
class Number(Expr):
    """A number or a character."""

    value: int | float
    type: Type


@dataclass(slots=True)
class Text(Expr):
    """A string literal."""

    value: str


@dataclass(slots=True)
class Name(Expr):
    """A variable or function; ``std`` where the standard library's is meant, whatever the program calls the same."""

    name: str
    std: bool = False


@dataclass(slots=True)
class Unary(Expr):
    """``-x``, ``!x``, ``*p``, ``&x``, ``++x``; ``x++`` is spelled ``post++``."""

    op: str
    inner: Expr


@dataclass(slots=True)
class Binary(Expr):
    """Two operands; the comma too."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True)
class Assign(Expr):
    """``=``, ``+=``, …."""

    op: str
    target: Expr
    value: Expr


@dataclass(slots=True)
class Choice(Expr):
    """``a ? b : c``."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(slots=True)
class Call(Expr):
    """A call of a function, a method or a value."""

    callee: Expr
    args: list[Expr]


@dataclass(slots=True)
class Index(Expr):
    """``a[i]``."""

    base: Expr
    at: Expr


@dataclass(slots=True)
class Member(Expr):
    """``a.b`` and ``a->b``."""

    base: Expr
    name: str
    arrow: bool


@dataclass(slots=True)
class Make(Expr):
    """``T(a, b)``, ``T{a, b}``, ``(T)a``; without a type an initialiser list."""

    type: Type | None
    args: list[Expr]
    braces: bool = False


@dataclass(slots=True)
class SizeOf(Expr):
    """``sizeof x``."""

    inner: Expr | Type


@dataclass(slots=True)
class Lambda(Expr):
    """A lambda that captures by reference; others are refused."""

    params: list[Variable]
    result: Type
    body: Block


@dataclass(slots=True)
class Stmt(Node):
    """A statement."""


@dataclass(slots=True)
class Block(Stmt):
    """Statements; ``scope`` is false for the parts of one declaration."""

    body: list[Stmt]
    scope: bool = True


@dataclass(slots=True)
class Variable(Stmt):
    """A declaration of one variable; ``names`` of several is a structured binding."""

    name: str
    type: Type
    init: Expr | None = None
    names: tuple[str, ...] = ()
    static: bool = False


@dataclass(slots=True)
class Do(Stmt):
    """An expression for its effect."""

    expr: Expr


@dataclass(slots=True)
class If(Stmt):
    """A branch."""

    test: Expr
    yes: Stmt
    no: Stmt | None


@dataclass(slots=True)
class Loop(Stmt):
    """``while``, ``do`` and ``for`` (with ``init`` and ``step``)."""

    kind: str
    test: Expr | None
    body: Stmt
    init: Stmt | None = None
    step: Expr | None = None


@dataclass(slots=True)
class Each(Stmt):
    """``for (auto x : v)``."""

    variable: Variable
    over: Expr
    body: Stmt


@dataclass(slots=True)
class Jump(Stmt):
    """``break``, ``continue``, ``return``."""

    kind: str
    value: Expr | None = None


@dataclass(slots=True)
class Switch(Stmt):
    """Cases, each with its labels (None is ``default``)."""

    on: Expr
    cases: list[tuple[list[Expr | None], list[Stmt]]]


@dataclass(slots=True)
class Function(Node):
    """A function or method; ``inits`` are a constructor's."""

    name: str
    result: Type
    params: list[Variable]
    body: Block
    parameters: tuple[str, ...] = ()
    inits: list[tuple[str, list[Expr]]] = field(default_factory=list)


@dataclass(slots=True)
class Struct(Node):
    """A struct or class."""

    name: str
    fields: list[Variable]
    methods: list[Function]
    makers: list[Function]


@dataclass(slots=True)
class Unit:
    """A whole program, its parts in order."""

    parts: list[Variable | Function | Struct]
