"""Writes structs as classes."""

from __future__ import annotations

from authoring.compiler.cpp.loops import Loops
from authoring.compiler.cpp.nodes import (
    VOID,
    Function,
    Lambda,
    Make,
    NotCovered,
    Struct,
    Type,
)
from authoring.compiler.cpp.reading import plain
from authoring.compiler.cpp.values import Frame, Known, Value, Written

INDENT = "    "


class Structs(Loops):
    """Fields, methods, constructors, operators."""

    def __init__(self) -> None:
        super().__init__()
        self.free_operators: dict[str, list[tuple[Written, str]]] = {}
        """Operators outside their struct, with the name of their left side."""

    def definition(self, name: str, node: Function | Lambda, written: Written, first: str = "") -> str:
        """A function's text; the frame is its own."""
        raise NotImplementedError

    def struct_class(self, struct: Struct) -> None:
        """A struct's class, and its constructors as functions."""
        name = self.class_name(struct.name)
        lines = [f"class {name}:", f'{INDENT}"""A struct of the program."""', ""]
        names = [self.field_name(one.name) for one in struct.fields]
        heads, sets = [], []
        for one, own in zip(struct.fields, names, strict=True):
            self.frame, self.lines = Frame(None, VOID), []
            if one.init is not None:
                default = self.initial(one, self.resolved(one.type)).text
            else:
                default = self.default(one.type, one.line)
            if self.lines:
                raise NotCovered("a field's value", one.line)
            scalar = self.is_scalar(self.resolved(one.type))
            heads.append(f"{own}={default if scalar else 'None'}")
            sets.append(f"self.{own} = {own}" if scalar else f"self.{own} = {default} if {own} is None else {own}")
        lines.append(f"{INDENT}def __init__({', '.join(['self', *heads])}):")
        lines += [f"{INDENT * 2}{one}" for one in sets or ["pass"]]
        copies = [
            f"{own}={self.copied(Value(f'self.{own}', self.resolved(one.type), atom=True))}"
            for one, own in zip(struct.fields, names, strict=True)
        ]
        lines += ["", f"{INDENT}def copy(self):", f'{INDENT * 2}"""All of it."""']
        lines.append(f"{INDENT * 2}return {name}({', '.join(copies)})")
        lines += ["", f"{INDENT}def assign(self, other):", f'{INDENT * 2}"""Become equal to another."""']
        lines += [f"{INDENT * 2}{one}" for one in [f"self.{own} = other.{own}" for own in names] or ["pass"]]
        self.lines = []
        self._methods(struct, lines)
        self.made.append("\n".join(lines))
        self._makers(struct)

    def _methods(self, struct: Struct, lines: list[str]) -> None:
        free = {id(written): left for written, left in self.free_operators.get(struct.name, [])}
        for key in sorted(one for one in self.functions if one.startswith(f"{struct.name}.")):
            if key.endswith(".new"):
                continue
            for written in self.functions[key]:
                self.frame = Frame(None, written.result, owner=struct.name)
                if id(written) in free:
                    self.frame.scopes[0][free[id(written)]] = Known("self", Type("struct", of=struct.name), None, True)
                else:
                    self._fields_in_scope(struct)
                self.depth = 0
                text = self.definition(written.name, written.node, written, first="self")
                lines += ["", *(INDENT + one for one in text.split("\n"))]
        if f"{struct.name}.operator<" in self.functions:
            lines += ["", f"{INDENT}def __lt__(self, other):", f"{INDENT * 2}return self.op_lt(other)"]
        if f"{struct.name}.operator==" in self.functions:
            lines += ["", f"{INDENT}def __eq__(self, other):", f"{INDENT * 2}return self.op_eq(other)"]

    def _fields_in_scope(self, struct: Struct) -> None:
        for one in struct.fields:
            text = f"self.{self.field_name(one.name)}"
            self.frame.scopes[0][one.name] = Known(text, self.resolved(one.type), None, True)

    def _makers(self, struct: Struct) -> None:
        for written in self.functions.get(f"{struct.name}.new", []):
            node = written.node
            self.frame = Frame(None, VOID, owner=struct.name)
            self._fields_in_scope(struct)
            self.frame.scopes.append({})
            self.depth, self.lines = 0, []
            names = []
            for param in node.params:
                known = self.declare(param.name, plain(self.resolved(param.type)))
                names.append(known.text)
            with self.apart(1) as lines:
                self.line(f"self = {self.class_name(struct.name)}()")
                for field_, args in node.inits:
                    self._field_value(struct, field_, args, node.line)
                self.block(node.body.body)
                if any(line.strip().startswith("return") for line in self.lines):
                    raise NotCovered("a constructor that returns", node.line)
                self.line("return self")
            self.made.append("\n".join([f"def {written.name}({', '.join(names)}):", *lines]))

    def _field_value(self, struct: Struct, name: str, args: list, line: int) -> None:  # type: ignore[type-arg]
        for one in struct.fields:
            if one.name == name:
                value = self.make(Make(line, self.resolved(one.type), args), [])
                self.line(f"self.{self.field_name(name)} = {value.text}")
                return
        raise NotCovered(f"the field {name}", line)
