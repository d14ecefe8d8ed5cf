"""Hash provenance: values whose hash differs between processes; Python salts the hashes of strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import scope_of, unpackings, visible_definitions
from jaxmpi_lint.analysis.cfg.passed_arguments import argument_of, is_parameter
from jaxmpi_lint.analysis.lattice.lattice import (
    FunctionReference,
    Instance,
    Literal,
    Named,
    RankOf,
    Record,
    SizeOf,
    Value,
)
from jaxmpi_lint.analysis.lattice.limits import PASSED_CALLS, PASSED_ELEMENTS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.library.python.hashes import (
    COMBINES_ALL,
    COMBINES_FIRST,
    HASHES_OF_TYPES,
    HOST_TEXTS,
    MAKES_COLLECTIONS,
    MAKES_NUMBERS,
    MAKES_TEXT,
    SET_METHODS,
    TEXT_LIST_METHODS,
    TEXT_LISTS,
    TEXT_METHODS,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


class Hash(StrEnum):
    """How the hash of a value compares between processes."""

    STABLE = "stable"  # numbers
    SALTED = "salted"  # strings, and containers of strings
    IDENTITY = "identity"  # objects: their address
    OWN = "own"  # a class that defines ``__hash__``
    UNKNOWN = "unknown"


_Seen = frozenset[tuple[str, ir.Span, bool]]


def joined(kinds: Iterable[Hash | None]) -> Hash | None:
    """The hash of a group of values: one salted member salts it, one unknown member hides it; None adds nothing."""
    found = set(kinds) - {None}
    for kind in (Hash.SALTED, Hash.IDENTITY, Hash.UNKNOWN, Hash.OWN):
        if kind in found:
            return kind
    return Hash.STABLE if found else None


def hash_of(function: Function, expression: ir.Expression, env: Environment) -> Hash:
    """How the hash of an expression's value compares between processes."""
    return _Hashes(function, env).of(expression) or Hash.UNKNOWN


def elements_of(function: Function, expression: ir.Expression, env: Environment) -> Hash:
    """How the hashes of a container's elements (of a dictionary's keys) compare between processes."""
    return _Hashes(function, env).inside(expression) or Hash.UNKNOWN


class _Hashes:
    """Evaluates expressions of one function; names are followed to their definitions, each once.

    ``loops`` maps the variables of comprehensions to their iterables. None adds nothing: a value that is defined in
    terms of itself.
    """

    def __init__(
        self,
        function: Function,
        env: Environment,
        loops: Mapping[str, ir.Expression] | None = None,
        seen: _Seen = frozenset(),
    ) -> None:
        self._function = function
        self._env = env
        self._loops = dict(loops or {})
        self._seen = seen

    def of(self, expression: ir.Expression) -> Hash | None:
        """The hash of a value."""
        if isinstance(expression, ir.Name) and expression.id in self._loops:
            return self.inside(self._loops[expression.id])
        known = self._of_value(self._function.value(expression, self._env))
        if known is not Hash.UNKNOWN:
            return known
        match expression:
            case ir.FormattedString():
                return Hash.SALTED
            case ir.Collection(kind="tuple", elements=elements):
                return joined(map(self.of, elements))
            case ir.BinaryOperation(operator="%", left=ir.Constant(value=str())):
                return Hash.SALTED
            case ir.BinaryOperation(left=left, right=right):
                both = joined((self.of(left), self.of(right)))
                return Hash.STABLE if both is Hash.UNKNOWN and _is_arithmetic(expression) else both
            case ir.Call():
                return self._of_call(expression)
            case ir.Subscript(value=base):
                return self.inside(base)
            case ir.Element(iterable=iterable):
                return self.inside(iterable)
            case ir.Name(id=name):
                return self._of_parameter(name) or self._defined(expression, False)
            case ir.Attribute():
                return self._of_field(expression)
        return Hash.UNKNOWN

    def _of_value(self, value: Value) -> Hash:
        match value.entity:
            case Literal(kind="str" | "bytes"):
                return Hash.SALTED
            case Literal() | RankOf() | SizeOf():
                return Hash.STABLE
            case Instance() as instance:
                return self._of_instance(instance)
        return Hash.UNKNOWN

    def _of_instance(self, instance: Instance) -> Hash:
        model = self._function.project.class_model(instance)
        if model is None:
            return Hash.UNKNOWN
        if model.method("__hash__") is not None:
            return Hash.OWN
        plain = not model.ir.decorators and not model.ir.bases and model.method("__eq__") is None
        return Hash.IDENTITY if plain else Hash.UNKNOWN

    def _of_field(self, field: ir.Attribute) -> Hash | None:
        """The hash of what the methods of the class assign to a field of ``self``."""
        owner = self._function.module.classes.get(self._function.ir.owner or "")
        if owner is None or not isinstance(field.value, ir.Name) or field.value.id != self._function.self_name:
            return Hash.UNKNOWN
        kinds: list[Hash | None] = []
        for qualname in owner.methods.values():
            method = self._function.module_model.function(qualname)
            for value, position in unpackings(method, f"{method.self_name}.{field.attr}") or ():
                key = (f"{method.module.path}:{position}", value.span, False)
                if key not in self._seen and not method.project.is_running(method):
                    kinds.append(_Hashes(method, method.flow.exit, None, self._seen | {key}).part(value, position))
        return joined(kinds) or Hash.UNKNOWN

    def _of_call(self, call: ir.Call) -> Hash | None:
        if isinstance(call.func, ir.Name):
            name = call.func.id
            if name in MAKES_NUMBERS:
                return Hash.STABLE
            if name in MAKES_TEXT:
                return Hash.SALTED
            if name in ("tuple", "frozenset") and call.args:
                return self.inside(call.args[0].value)
        if isinstance(call.func, ir.Attribute) and call.func.attr in TEXT_METHODS:
            return Hash.SALTED
        bound = self._function.bound(call)
        return Hash.SALTED if bound is not None and bound.dotted in HOST_TEXTS else Hash.UNKNOWN

    def _of_parameter(self, name: str) -> Hash | None:
        for parameter in self._function.ir.parameters:
            if parameter.name == name:
                annotation = ir.dotted(parameter.annotation) if parameter.annotation is not None else None
                known = HASHES_OF_TYPES.get(annotation or "")
                return Hash(known) if known is not None else self._passed(name, inside=False)
        return None

    def _defined(self, name: ir.Name, inside: bool) -> Hash | None:
        """The hash of the definitions of a name."""
        found = visible_definitions(self._function, name.id)
        if found is None:
            return self._unpacked(name.id) if not inside else Hash.UNKNOWN
        scope, values = found
        env = scope.flow.exit if not scope.project.is_running(scope) else {}
        kinds: list[Hash | None] = []
        for value in values:
            key = (scope.module.path, value.span, inside)
            if key in self._seen:
                continue
            further = _Hashes(scope, env, None, self._seen | {key})
            kinds.append(further.inside(value) if inside else further.of(value))
        return joined(kinds)

    def _unpacked(self, name: str) -> Hash | None:
        """The hash of the items that are unpacked into a name."""
        scope = scope_of(self._function, name)
        values = unpackings(scope, name) if scope is not None else None
        if scope is None or not values or is_parameter(scope, name):
            return Hash.UNKNOWN
        env = scope.flow.exit if not scope.project.is_running(scope) else {}
        kinds: list[Hash | None] = []
        for value, position in values:
            key = (f"{scope.module.path}:{position}", value.span, False)
            if key not in self._seen:
                kinds.append(_Hashes(scope, env, None, self._seen | {key}).part(value, position))
        return joined(kinds)

    def part(self, expression: ir.Expression, position: int | None) -> Hash | None:
        """The hash of a value, or of one of its items."""
        return self.of(expression) if position is None else self.item(expression, position)

    def item(self, expression: ir.Expression, position: int) -> Hash | None:
        """The hash of one item of a sequence."""
        held = self._function.value(expression, self._env)
        if held.elements and position < len(held.elements) and not isinstance(held.entity, Record):
            known = self._of_value(held.elements[position])
            if known is not Hash.UNKNOWN:
                return known
        match expression:
            case ir.Collection(kind="tuple" | "list", elements=elements) if not any(
                isinstance(element, ir.Starred) for element in elements
            ):
                return self.of(elements[position]) if position < len(elements) else Hash.UNKNOWN
            case ir.Element(iterable=ir.Call() as iterated):
                return self._item_of_each(iterated, position)
            case ir.Call():
                return self._returned_item(expression, position)
        return self.inside(expression)

    def _item_of_each(self, iterated: ir.Call, position: int) -> Hash | None:
        """The hash of one item of each element of an iterable."""
        arguments = [argument.value for argument in iterated.args if argument.keyword is None]
        match iterated.func:
            case ir.Name(id="enumerate") if arguments:
                return self.inside(arguments[0]) if position else Hash.STABLE
            case ir.Name(id="zip") if position < len(arguments) and not iterated.has_star:
                return self.inside(arguments[position])
            case ir.Attribute(value=base, attr="items") if position == 0:
                return self.inside(base)
        return Hash.UNKNOWN

    def _returned_item(self, call: ir.Call, position: int) -> Hash | None:
        """The hash of one item of what a function of the project returns."""
        bound = self._function.bound(call)
        entity = bound.callee.entity if bound is not None else None
        if isinstance(call.func, ir.Name) and call.func.id == "divmod":
            return Hash.STABLE
        project = self._function.project
        callee = project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None
        if callee is None:
            return self.inside(call)
        if callee.ir.is_generator or project.is_running(callee):
            return Hash.UNKNOWN
        kinds: list[Hash | None] = []
        for value, env in returned_values(callee):
            key = (f"{callee.module.path}:{position}", value.span, True)
            if key not in self._seen:
                kinds.append(_Hashes(callee, env, None, self._seen | {key}).item(value, position))
        return joined(kinds) or Hash.UNKNOWN

    def inside(self, expression: ir.Expression) -> Hash | None:
        """The hash of the elements of a container."""
        held = self._function.value(expression, self._env)
        if held.elements and not isinstance(held.entity, Record):
            known = joined(map(self._of_value, held.elements))
            if known is not Hash.UNKNOWN:
                return known
        match expression:
            case ir.Collection(elements=elements):
                return joined(map(self.of, elements))
            case ir.Dictionary(keys=keys):
                return joined(self.of(key) for key in keys if key is not None)
            case ir.Constant(value=str()):
                return Hash.SALTED
            case ir.BinaryOperation(operator="-", left=left):
                return self.inside(left)
            case ir.BinaryOperation(left=left, right=right):
                return joined((self.inside(left), self.inside(right)))
            case ir.Comprehension():
                return self._inside_comprehension(expression)
            case ir.Call():
                return self._inside_call(expression)
            case ir.BooleanOperation(operands=operands):
                return joined(map(self.inside, operands))
            case ir.Conditional(body=body, orelse=orelse):
                return joined((self.inside(body), self.inside(orelse)))
            case ir.Subscript(value=base, index=ir.Slice()):
                return self.inside(base)
            case ir.Attribute(attr="shape"):
                return Hash.STABLE
            case ir.Attribute() if self._is_text_list(expression):
                return Hash.SALTED
            case ir.Name(id=name) if is_parameter(self._function, name):
                return self._passed(name, inside=True)
            case ir.Name():
                return self._defined(expression, True)
        return Hash.UNKNOWN

    def _is_text_list(self, expression: ir.Attribute) -> bool:
        entity = self._function.value(expression, self._env).entity
        return isinstance(entity, Named) and entity.dotted in TEXT_LISTS

    def _passed(self, name: str, *, inside: bool) -> Hash:
        """The hash of what all calls of the function pass for a parameter, or of its elements."""
        kinds: list[Hash | None] = []
        sites = self._function.project.get(CallSites).of(self._function)
        for site in sites if len(sites) <= PASSED_CALLS else ():
            argument = argument_of(self._function, name, site.bound.call)
            key = (site.caller.module.path, argument.span if argument is not None else (0, 0), inside)
            if argument is None or len(self._seen) > PASSED_ELEMENTS or site.caller.project.is_running(site.caller):
                return Hash.UNKNOWN
            if key not in self._seen:
                env = site.caller.flow.environment_before(site.block, None)
                passed = _Hashes(site.caller, env, None, self._seen | {key})
                kinds.append(passed.inside(argument) if inside else passed.of(argument))
        return joined(kinds) or Hash.UNKNOWN

    def _inside_comprehension(self, node: ir.Comprehension) -> Hash | None:
        loops = dict(self._loops)
        env = dict(self._env)
        for generator in node.generators:
            for target in ir.walk(generator.target):
                if isinstance(target, ir.Name):
                    env.pop(target.id, None)
                    loops.pop(target.id, None)
            if isinstance(generator.target, ir.Name):
                loops[generator.target.id] = generator.iterable
        return _Hashes(self._function, env, loops, self._seen).of(node.element)

    def _inside_call(self, call: ir.Call) -> Hash | None:
        arguments = [argument.value for argument in call.args]
        match call.func:
            case ir.Name(id="range"):
                return Hash.STABLE
            case ir.Name(id=name) if name in MAKES_COLLECTIONS:
                return self.inside(arguments[0]) if arguments else None
            case ir.Attribute(attr=method) if method in TEXT_LIST_METHODS:
                return Hash.SALTED
            case ir.Attribute(value=base, attr="keys" | "items"):
                return self.inside(base)
            case ir.Attribute(value=ir.Name(id="dict"), attr="fromkeys") if arguments:
                return self.inside(arguments[0])
            case ir.Attribute(value=base, attr=method) if method in SET_METHODS:
                return joined(map(self.inside, (base, *arguments)))
        return self._inside_combination(call)

    def _inside_combination(self, call: ir.Call) -> Hash | None:
        bound = self._function.bound(call)
        dotted = (bound.dotted if bound is not None else None) or ir.dotted(call.func)
        positional = [argument.value for argument in call.args if argument.keyword is None]
        if call.has_star or not positional:
            return Hash.UNKNOWN
        if dotted in COMBINES_FIRST:
            return self.inside(positional[0])
        return joined(map(self.inside, positional)) if dotted in COMBINES_ALL else Hash.UNKNOWN


def _is_arithmetic(operation: ir.BinaryOperation) -> bool:
    """Whether unknown operands must be numbers: no text is subtracted from, divided, raised or added to a number."""
    if operation.operator in ("-", "//", "**"):
        return True
    numbers = (operation.left, operation.right)
    return operation.operator == "+" and any(
        isinstance(number, ir.Constant) and isinstance(number.value, (int, float)) for number in numbers
    )


def returned_values(function: Function) -> Iterator[tuple[ir.Expression, Environment]]:
    """What a function returns, with the values before it."""
    for block in function.ir.blocks:
        value = block.terminator.value if isinstance(block.terminator, ir.Return) else None
        if value is not None and function.flow.entries[block.index] is not None:
            yield value, function.flow.environment_before(block.index, None)
