"""Writes a whole program: structs, functions, variables, and the call of ``main``."""

from __future__ import annotations

from authoring.compiler.cpp.constants import constant
from authoring.compiler.cpp.nodes import (
    INTEGERS,
    VOID,
    Function,
    Lambda,
    Make,
    NotCovered,
    Struct,
    Type,
    Unit,
    Variable,
)
from authoring.compiler.cpp.operators import METHOD_OF
from authoring.compiler.cpp.reach import may_change, reachable
from authoring.compiler.cpp.reading import plain
from authoring.compiler.cpp.runtime import text_of
from authoring.compiler.cpp.statements import read
from authoring.compiler.cpp.structs import Structs
from authoring.compiler.cpp.values import RESERVED, Frame, Known, Value, Written

INDENT = "    "


class Program(Structs):
    """The whole program."""

    def __init__(self) -> None:
        super().__init__()
        self.constants: dict[str, int] = {}
        self.closures: list[Written] = []
        self.statics: list[str] = []

    def written(self, unit: Unit) -> str:
        """The program as Python."""
        unit = reachable(unit)
        self._announce(unit)
        for part in unit.parts:
            if isinstance(part, Struct):
                self.struct_class(part)
        for part in unit.parts:
            written = isinstance(part, Function) and not part.parameters and not part.name.endswith(";")
            if isinstance(part, Function) and written and not self._is_operator(part):
                self._function(part)
        bodies, self.made = self.made, []
        self.frame = Frame(None, VOID)
        self.lines = []
        for part in unit.parts:
            if isinstance(part, Variable):
                self._global(part)
        if "main" not in self.functions:
            raise NotCovered("a program without main")
        bodies += self.made
        imports, helpers = text_of(self.used)
        head = ["import sys", *imports]
        state = ["reader = Reader(sys.stdin.read())"] if "Reader" in self.used else []
        state += ["write = sys.stdout.write"] if "write" in self.used else []
        state += ["style = [6, False]"] if "real_text" in self.used else []
        blocks = ["\n".join(head), *(text.strip("\n") for text in helpers), *bodies]
        return "\n\n\n".join([*blocks, "\n".join([*state, *self.statics, *self.lines, "main()"])]) + "\n"

    # ------------------------------------------------------------------ what there is

    def _announce(self, unit: Unit) -> None:
        """Names and types of everything, before anything is written."""
        for part in unit.parts:
            if isinstance(part, Struct):
                self.structs[part.name] = part
                self.global_names.add(self.class_name(part.name))
        for part in unit.parts:
            if isinstance(part, Variable):
                self._announce_variable(part)
        for part in unit.parts:
            if isinstance(part, Struct):
                self._announce_struct(part)
            elif isinstance(part, Function) and not part.name.endswith(";"):
                self._announce_function(part)

    def _announce_variable(self, part: Variable) -> None:
        if part.names or part.type.ref:
            raise NotCovered("a reference outside functions", part.line)
        name = part.name.lstrip("_") or "v"
        while name in RESERVED or name in self.global_names:
            name += "_"
        self.global_names.add(name)
        self.globals[part.name] = Known(name, part.type, None)
        if part.type.name in INTEGERS and part.init is not None:
            init = part.init.args[0] if isinstance(part.init, Make) and part.init.args else part.init
            found = constant(init, self.constants)
            if found is not None:
                self.constants[part.name] = found

    def _announce_function(self, part: Function) -> None:
        if part.parameters:
            self.generic.setdefault(part.name, []).append(part)
            return
        if part.name.startswith("operator"):
            owner = plain(part.params[0].type) if part.params else VOID
            if owner.name != "struct" or part.name[8:] not in METHOD_OF:
                return  # operator<< of streams and the like: refused where it is used
            self._announce_method(self.structs[owner.of], part, free=True)
            return
        same = self.functions.setdefault(part.name, [])
        name = part.name.lstrip("_") or "f"
        while name in RESERVED or name in self.global_names:
            name += "_"
        self.global_names.add(name)
        types = tuple(one.type for one in part.params)
        same.append(Written(name, part, self._outs(part), part.result, types))

    def _announce_struct(self, struct: Struct) -> None:
        for number, maker in enumerate(struct.makers):
            name = f"{struct.name}_{len(maker.params)}" + (f"_{number}" if number else "")
            if not maker.params:
                name = f"{struct.name}_0"
            self.global_names.add(name)
            types = tuple(one.type for one in maker.params)
            found = self.functions.setdefault(f"{struct.name}.new", [])
            found.append(Written(name, maker, (), Type("struct", of=struct.name), types))
        for method in struct.methods:
            self._announce_method(struct, method, free=False)

    def _announce_method(self, struct: Struct, method: Function, *, free: bool) -> None:
        params = method.params[1:] if free else method.params
        node = Function(method.line, method.name, method.result, params, method.body) if free else method
        name = method.name
        if name.startswith("operator"):
            op = name[8:]
            if not free and len(method.params) == 2 and op != "()":
                return self._announce_method(struct, method, free=True)  # a friend
            if op not in METHOD_OF:
                return None
            unary = not params and op in ("-",)
            name = METHOD_OF[op] if not unary else "op_neg"
            if unary:
                node.name = f"operatorunary{op}"
        else:
            name = f"{name}_" if name in RESERVED or name in ("copy", "assign") else name
        same = self.functions.setdefault(f"{struct.name}.{node.name}", [])
        if same:
            name = f"{name}_{len(same)}"
        if self._outs(node):
            raise NotCovered("a method with references to numbers", method.line)
        same.append(Written(name, node, (), node.result, tuple(one.type for one in params)))
        if free:
            self.free_operators.setdefault(struct.name, []).append((same[-1], method.params[0].name))
        return None

    @staticmethod
    def _is_operator(part: Function) -> bool:
        return part.name.startswith("operator")

    def _outs(self, node: Function) -> tuple[int, ...]:
        """Which parameters are references to numbers that the function may change."""
        found = []
        for number, param in enumerate(node.params):
            if not param.type.ref or param.type.name not in (*INTEGERS, "double", "param", "auto", "iter"):
                continue
            if may_change(node, param.name):
                found.append(number)
        return tuple(found)

    # ------------------------------------------------------------------ functions

    def _function(self, node: Function, written: Written | None = None, types: dict[str, Type] | None = None) -> None:
        written = written or next(one for one in self.functions[node.name] if one.node is node)
        outer, lines, depth = self.frame, self.lines, self.depth
        self.frame = Frame(None, node.result, is_main=node.name == "main", types=types or {})
        self.lines, self.depth = [], 0
        text = self.definition(written.name, node, written)
        self.frame, self.lines, self.depth = outer, lines, depth
        self.made.append(text)

    def definition(self, name: str, node: Function | Lambda, written: Written, first: str = "") -> str:
        """A function's text; the frame is its own."""
        is_main = self.frame.is_main
        names = [first] if first else []
        if not is_main:
            for number, param in enumerate(node.params):
                type_ = plain(self.resolved(param.type))
                known = self.declare(param.name, type_)
                known.alias = param.type.ref and number not in written.outs and not self.is_scalar(type_)
                names.append(known.text)
                if number in written.outs:
                    self.frame.outs.append(known.text)
        with self.apart(1) as lines:
            self.block(node.body.body)
            if self.frame.outs and self.frame.result.name == "void":
                self.line(f"return {', '.join(self.frame.outs)}")
        head = [f"def {name}({', '.join(names)}):"]
        for word, is_global in (("global", True), ("nonlocal", False)):
            rebound = sorted(one for one, is_ in self.frame.rebound.items() if is_ == is_global)
            if rebound:
                head.append(f"{INDENT}{word} {', '.join(rebound)}")
        return "\n".join([*head, *lines])

    def instantiate(self, key: str, node: Function, bound: dict[str, Type]) -> None:
        """Write a template for some types."""
        name = node.name.lstrip("_") or "f"
        while name in RESERVED or name in self.global_names:
            name += "_"
        self.global_names.add(name)
        outs = []
        for number in self._outs(node):
            type_ = plain(node.params[number].type)
            type_ = bound.get(type_.of, type_)
            if self.is_scalar(type_):
                outs.append(number)
        frame, self.frame = self.frame, Frame(None, VOID, types=bound)
        result = self.resolved(node.result)
        types = []
        for param in node.params:
            type_ = self.resolved(plain(param.type))
            types.append(Type(type_.name, type_.args, type_.of, type_.extent, param.type.ref))
        self.frame = frame
        written = Written(name, node, tuple(outs), result, tuple(types))
        self.functions[key] = [written]
        self._function(node, written, bound)

    def lambda_depth(self) -> int:
        """Inside how many lambdas this is."""
        depth, frame = 0, self.frame.outer
        while frame is not None:
            depth, frame = depth + 1, frame.outer
        return depth

    def closure(self, expr: Lambda, name: str = "") -> Value:
        """A lambda as a function inside the function."""
        if any(param.type.name == "auto" for param in expr.params):
            raise NotCovered("a lambda with auto parameters", expr.line)
        text = self.fresh_name(name or "compare")
        type_ = Type("function", (expr.result, *(one.type for one in expr.params)))
        node = Function(expr.line, name, expr.result, expr.params, expr.body)
        written = Written(text, node, self._outs(node), expr.result, tuple(one.type for one in expr.params))
        if name:
            self.frame.scopes[-1][name] = Known(text, type_, self.frame)
        self.closures.append(written)
        outer = self.frame
        self.frame = Frame(outer, expr.result)
        with self.apart():
            depth, self.depth = self.depth, 0
            definition = self.definition(text, node, written)
            self.depth = depth
        if any(self.frame.rebound.values()):
            raise NotCovered("a lambda that changes a global variable", expr.line)
        written.result = self.frame.result if self.frame.result.name != "auto" else VOID
        self.frame = outer
        self.lines += ["    " * self.depth + one for one in definition.split("\n")]
        known_type = Type("function", (written.result, *(one.type for one in expr.params)))
        if name:
            self.frame.scopes[-1][name].type = known_type
        return Value(text, known_type, atom=True, fixed=True)

    # ------------------------------------------------------------------ structs

    # ------------------------------------------------------------------ global variables

    def _global(self, node: Variable) -> None:
        known = self.globals[node.name]
        if isinstance(node.init, Lambda):
            raise NotCovered("a lambda outside functions", node.line)
        type_ = self.resolved(node.type)
        value = self.initial(node, type_)
        known.type = self.declared_type(node, type_, value)
        self.line(f"{known.text} = {value.text}")


def translate(code: str) -> str:
    """A C++ program as Python 3.

    Raises:
        NotCovered: it uses something that is not known.
    """
    try:
        return Program().written(read(code))
    except RecursionError as error:
        raise NotCovered("a program nested too deeply") from error
