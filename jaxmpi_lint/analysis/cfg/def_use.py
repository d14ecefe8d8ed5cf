"""Def-use analysis: definitions within one function, and uses of a variable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

Site = tuple["Function", ir.Block, ir.Step]


def expressions_read(step: ir.Step) -> tuple[ir.Expression, ...]:
    """The expressions whose names a step reads; a plain name that is only bound is not included."""
    match step:
        case ir.Evaluate(expression=value) | ir.Discard(value=value):
            return (value,)
        case ir.Assign(targets=targets, value=value):
            stored = tuple(part for target in targets for part in _parts_read(target))
            return stored if value is None else (value, *stored)
        case ir.AugmentedAssign(target=target, value=value):
            return (target, value)
        case ir.Enter(context=context) | ir.Leave(context=context):
            return (context,)
        case _:
            return ()


def _parts_read(target: ir.Expression) -> tuple[ir.Expression, ...]:
    match target:
        case ir.Attribute(value=value):
            return (value,)
        case ir.Subscript(value=value, index=index):
            return (value, index)
        case ir.Starred(value=value):
            return _parts_read(value)
        case ir.Collection(elements=elements):
            return tuple(part for element in elements for part in _parts_read(element))
        case _:
            return ()


def terminator_expressions(block: ir.Block) -> tuple[ir.Expression, ...]:
    """The expressions that the terminator of a block reads."""
    match block.terminator:
        case ir.Branch(test=test):
            return (test,)
        case ir.Return(value=value) | ir.Raise(value=value):
            return () if value is None else (value,)
        case _:
            return ()


def always_evaluated(expression: ir.Expression) -> Iterator[ir.Expression]:
    """An expression and those inside of it that are evaluated whenever it is."""
    yield expression
    match expression:
        case ir.Conditional(test=test):
            yield from always_evaluated(test)
        case ir.BooleanOperation(operands=(first, *_)):
            yield from always_evaluated(first)
        case ir.Comprehension(generators=generators):
            yield from always_evaluated(generators[0].iterable)
        case ir.Lambda():
            return
        case _:
            for child in ir.children(expression):
                yield from always_evaluated(child)


def reads_anywhere(function: ir.Function) -> Iterator[ir.Expression]:
    """Every expression that a function reads, its own decorators and defaults included."""
    yield from function.decorators
    yield from (parameter.default for parameter in function.parameters if parameter.default is not None)
    for block in function.blocks:
        for step in block.steps:
            yield from expressions_read(step)
        yield from terminator_expressions(block)


def may_mention(text: str, expression: ir.Expression, word: str) -> bool:
    """A cheap test for a word in the text of an expression; only a pattern's text lies apart from its subject."""
    return isinstance(expression, ir.Matches) or text.find(word, *expression.span) >= 0


def nested_functions(function: Function) -> Iterator[ir.Function]:
    """Functions, lambdas and class bodies inside a function, at any depth."""
    inside = {function.ir.qualname}
    for name, candidate in function.module.functions.items():
        if candidate.parent in inside:
            inside.add(name)
            yield candidate


def is_read(function: Function, name: str) -> bool:
    """Whether a function, or one nested in it, reads one of its local names anywhere."""
    for candidate in (function.ir, *nested_functions(function)):
        for expression in reads_anywhere(candidate):
            if any(isinstance(node, ir.Name) and node.id == name for node in ir.walk(expression)):
                return True
    return False


def is_read_by_methods(function: Function, place: str) -> bool:
    """Whether other methods of the class of a method read a field of the object, `self.field`."""
    owner, _, field = place.partition(".")
    if not field or function.self_name != owner:
        return False
    prefix = function.ir.qualname.rpartition(".")[0] + "."
    others = (other for other in function.module_model.functions() if other is not function)
    return any(
        f"{method.self_name}.{field}" in _paths_read(method)
        for method in others
        if method.self_name is not None and method.ir.qualname.startswith(prefix)
    )


def _paths_read(function: Function) -> set[str | None]:
    return {ir.dotted(node) for read in reads_anywhere(function.ir) for node in ir.walk(read)}


def place_of(expression: ir.Expression) -> str | None:
    """The dotted name of the object that an assignment to a name, attribute or subscript modifies."""
    while isinstance(expression, ir.Subscript):
        expression = expression.value
    return ir.dotted(expression)


def places_stored(target: ir.Expression) -> Iterator[str | None]:
    """The dotted names of the objects that an assignment to a target modifies."""
    match target:
        case ir.Collection(elements=elements):
            for element in elements:
                yield from places_stored(element)
        case ir.Starred(value=value):
            yield from places_stored(value)
        case _:
            yield place_of(target)


def place_of_entry(expression: ir.Expression) -> str | None:
    """The place of ``record["key"]`` or ``record[KEY]``, below that of ``record``; None for other expressions.

    Names in capitals are taken for constants, and two of them for two keys.
    """
    if not isinstance(expression, ir.Subscript):
        return None
    path, key = ir.dotted(expression.value), _key(expression.index)
    return f"{path}.[{key}]" if path is not None and key is not None else None


def _key(index: ir.Expression) -> str | None:
    match index:
        case ir.Constant(value=str() as key):
            return f'"{key}"'
        case ir.Name(id=name) if name.isupper():
            return name
        case ir.Attribute(attr=name) if name.isupper():
            return ir.dotted(index)
    return None


def is_read_after(function: Function, block: ir.Block, step: ir.Step, place: str, ignored: set[ir.Span]) -> bool:
    """Whether a variable may be read on a path from a step before it is rebound.

    Reads inside the calls whose spans are ``ignored`` do not count.
    """
    following = block.steps[block.steps.index(step) + 1 :]
    seen: set[int] = set()
    pending: list[tuple[int, list[ir.Step]]] = [(block.index, following)]
    while pending:
        index, steps = pending.pop()
        outcome = _scan(function.ir.blocks[index], steps, place, ignored)
        if outcome == "read":
            return True
        if outcome == "bound":
            continue
        for target in (*function.ir.blocks[index].successors, *function.ir.blocks[index].handlers):
            if target not in seen:
                seen.add(target)
                pending.append((target, function.ir.blocks[target].steps))
    return False


def _scan(block: ir.Block, steps: list[ir.Step], place: str, ignored: set[ir.Span]) -> str:
    for step in steps:
        if any(_mentions(expression, place, ignored) for expression in expressions_read(step)):
            return "read"
        if isinstance(step, ir.Assign) and any(ir.dotted(target) == place for target in step.targets):
            return "bound"
    read = any(_mentions(expression, place, ignored) for expression in terminator_expressions(block))
    return "read" if read else "neither"


def _mentions(expression: ir.Expression, place: str, ignored: set[ir.Span]) -> bool:
    stack = [expression]
    while stack:
        node = stack.pop()
        if node.span in ignored:
            continue
        if ir.dotted(node) == place:
            return True
        stack.extend(ir.children(node))
    return False


def definitions(function: Function, name: str) -> list[ir.Expression] | None:
    """All values that a function assigns to a name; None if it is also bound in other ways, or never."""
    if not function.rebinds(name) or name in function.bound_otherwise:
        return None
    found = function.assignments.get(name)
    return list(found.values()) if found else None


def visible_definitions(function: Function, name: str) -> tuple[Function, list[ir.Expression]] | None:
    """The values of a name and the function that assigns them: this one, an enclosing one, or the module."""
    scope = scope_of(function, name)
    values = definitions(scope, name) if scope is not None else None
    return (scope, values) if scope is not None and values is not None else None


def scope_of(function: Function, name: str) -> Function | None:
    """The function that binds a name: this one, an enclosing one, or the module; None if other functions do as well."""
    scope: Function | None = function
    while scope is not None and not scope.is_local(name):
        scope = scope.parent if scope.ir.kind != "module" else None
    if scope is None:
        scope = function.module_model.body
        if not scope.is_local(name):
            return None
    if scope.ir.kind == "module" and name in function.module_model.written_names:
        return None
    return scope


def unpackings(function: Function, path: str) -> list[tuple[ir.Expression, int | None]] | None:
    """The values that a function assigns to a name or field, and the position of the item where it unpacks them.

    None if it is also bound in other ways, by a nested target, or behind a starred one.
    """
    found: list[tuple[ir.Expression, int | None]] = []
    for step in function.ir.steps():
        if not isinstance(step, ir.Assign) or step.value is None:
            if path in names_bound(step):
                return None
            continue
        for target in step.targets:
            if ir.dotted(target) == path:
                found.append((step.value, None))
            elif any(ir.dotted(node) == path for node in ir.walk(target) if not isinstance(target, ir.Subscript)):
                position = _position_in(target, path)
                if position is None:
                    return None
                found.append((step.value, position))
    return found


def _position_in(target: ir.Expression, path: str) -> int | None:
    for position, element in enumerate(target.elements if isinstance(target, ir.Collection) else ()):
        if isinstance(element, ir.Starred):
            return None
        if ir.dotted(element) == path:
            return position
    return None


def is_computed_from(function: Function, value: ir.Expression, path: str) -> bool:
    """Whether a value reads a name or a field of the function, directly or by other names."""
    seen: set[str] = set()
    stack = [value]
    while stack:
        for node in ir.walk(stack.pop()):
            if ir.dotted(node) == path:
                return True
            if isinstance(node, ir.Name) and node.id not in seen and function.is_local(node.id):
                seen.add(node.id)
                stack += definitions(function, node.id) or ()
    return False


def names_bound(step: ir.Step) -> Iterator[str]:
    """The names that a step binds."""
    match step:
        case ir.Assign(targets=targets):
            for target in targets:
                yield from names_stored(target)
        case ir.AugmentedAssign(target=ir.Name(id=name)):
            yield name
        case ir.Import(names=names):
            yield from (imported.bound for imported in names)
        case ir.Define(name=name):
            yield name


def written_names(target: ir.Expression) -> Iterator[ir.Name]:
    """The plain names that an assignment to a target binds."""
    match target:
        case ir.Name():
            yield target
        case ir.Starred(value=value):
            yield from written_names(value)
        case ir.Collection(elements=elements):
            for element in elements:
                yield from written_names(element)


def names_stored(target: ir.Expression) -> Iterator[str]:
    """The names that an assignment to a target binds."""
    return (name.id for name in written_names(target))
