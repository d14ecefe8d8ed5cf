"""Abstract values of expressions, given those of the names they use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import place_of_entry
from jaxmpi_lint.analysis.lattice.lattice import (
    ANY_GROUP,
    NOTHING,
    UNIFORM,
    UNKNOWN,
    WORLD,
    ClassReference,
    Communicator,
    Container,
    Environment,
    FunctionReference,
    Instance,
    Literal,
    ModuleReference,
    Named,
    RankOf,
    Record,
    ResultOf,
    SizeOf,
    Uniformity,
    Unordered,
    Value,
    common,
    literal,
)
from jaxmpi_lint.analysis.lattice.shape_queries import asked_of_array, extents, is_divided_shape
from jaxmpi_lint.analysis.lattice.value_queries import NUMBER, TEXT, is_certain, is_none, is_result_of, is_text, is_weak
from jaxmpi_lint.analysis.uniformity.branch_joins import chosen_elements
from jaxmpi_lint.analysis.uniformity.call_evaluator import CallEvaluation
from jaxmpi_lint.analysis.uniformity.container_values import (
    any_entry,
    collection,
    combined,
    comprehension,
    dictionary,
    entry,
    is_array,
    numbered,
    part_of_array,
)
from jaxmpi_lint.analysis.uniformity.context_managers import entered_value
from jaxmpi_lint.analysis.uniformity.narrowing import of_several_processes
from jaxmpi_lint.analysis.uniformity.provably_apart import are_resized, are_shifted
from jaxmpi_lint.analysis.uniformity.range_lengths import distance_differs
from jaxmpi_lint.analysis.uniformity.rank_comparisons import holds_on_all
from jaxmpi_lint.analysis.uniformity.sentinels import asks_for_presence
from jaxmpi_lint.analysis.uniformity.slice_lengths import put_together, repeated
from jaxmpi_lint.analysis.uniformity.user_call_results import iterated
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.model import Result
from jaxmpi_lint.library.names import RANK_VARIABLES
from jaxmpi_lint.library.python.container_methods import MASK, ROW
from jaxmpi_lint.library.python.files import PATH
from jaxmpi_lint.library.python.sequences import ARRAY_SPLIT

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_PLAIN_RECORDS = frozenset({Source.CLOCK, Source.FILES})  # every part of whose results gives its origin
_SET_ALGEBRA = frozenset({"|", "&", "-", "^"})

_OWN_ELEMENT = "each process takes a different element"


class Evaluator:
    """Evaluates expressions of one function; unknown stays unknown."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.project = function.project
        self.module: ir.Module = function.module
        self.calls = CallEvaluation(self)
        self.held_roots: set[str] = set()  # each ``a`` for which an environment may hold an assignment to ``a.b``
        self._rank_names = self.project.rank_names

    def value(self, expression: ir.Expression, env: Environment) -> Value:
        """The abstract value of an expression."""
        method = _METHODS.get(type(expression))
        found = method(self, expression, env) if method is not None else NOTHING
        return self._named_rank(expression, found) if self._rank_names else found

    def attribute(self, base: Value, node: ir.Attribute, env: Environment) -> Value:
        """The value of an attribute, given that of the object."""
        found = self._held_attribute(node, env)
        if found is None:
            found = self._attribute_of(base, node)
        return self._named_rank(node, found) if self._rank_names else found

    def _named_rank(self, expression: ir.Expression, found: Value) -> Value:
        """A name configured as a rank: the rank in the communicator that is used with it."""
        # An imported name whose file was not read stands for itself.
        outside = isinstance(found.entity, Named) and not isinstance(expression, ir.Call)
        if not (found.entity is None or outside) or found.content.level.diverges:
            return found
        named = expression.func if isinstance(expression, ir.Call) else expression
        path = ir.dotted(named)
        if path is None or not ({path, path.rpartition(".")[2]} & self._rank_names):
            return found
        content = Uniformity(Level.RANK, frozenset({ANY_GROUP})).because(
            self.module, expression.span, f"`{path}` is a rank according to the option rank-names"
        )
        return Value(None, content, UNIFORM, UNIFORM)

    def joined(self, values: list[Value], entity: Any = None) -> Value:
        """The join of the values that an expression is computed from: as divergent as the most divergent of them."""
        content, structure = UNIFORM, UNIFORM
        for value in values:
            if value.content is not content:
                content = content.join(value.content)
            if value.structure is not structure:
                structure = structure.join(value.structure)
        return Value(entity, content, structure, UNKNOWN)

    # --- names and attributes ---

    def _name(self, node: ir.Name, env: Environment) -> Value:
        held = env.get(node.id)
        if held is not None:
            return held
        if self.function.is_local(node.id) and self.function.ir.kind != "module":
            return NOTHING
        return self.function.free_name(node.id)

    def _constant(self, node: ir.Constant, env: Environment) -> Value:
        return literal(node.value)

    def _attribute(self, node: ir.Attribute, env: Environment) -> Value:
        found = self._held_attribute(node, env)
        return found if found is not None else self._attribute_of(self.value(node.value, env), node)

    def _held_attribute(self, node: ir.Attribute, env: Environment) -> Value | None:
        """The value assigned to the attribute."""
        path = ir.dotted(node) if self.held_roots else None
        return env.get(path) if path is not None else None

    def _attribute_of(self, base: Value, node: ir.Attribute) -> Value:
        """The attribute of a known or unknown object."""
        found = NOTHING
        match base.entity:
            case Named(dotted):
                found = self.project.library_symbol(f"{dotted}.{node.attr}")
            case ModuleReference(module_path):
                found = self.project.module_attribute(module_path, node.attr)
            case Communicator() as communicator if self.project.catalogue.communicator_method(node.attr):
                return self._communicator_attribute(communicator, node)
            case Instance() | ClassReference() as owner:
                found = self.project.member(owner, node.attr)
            case ResultOf() as whole:
                found = self.calls.part_of(whole, node.attr) or NOTHING
        if found.entity is None and not found.content.level.diverges:
            return self._unknown_attribute(base, node, found)
        return found

    def _unknown_attribute(self, base: Value, node: ir.Attribute, found: Value) -> Value:
        if base.entity is None and base.content.source in _PLAIN_RECORDS:
            return Value(None, base.content)
        asked = asked_of_array(f".{node.attr}", base, self.module, node.span)
        if asked is not None:
            return asked
        if self.project.may_be_communicator(node.attr) and not isinstance(base.entity, Named):
            path = ir.dotted(node)
            scope = self.function.path_scope(path.partition(".")[0] if path else "")
            return self.project.guessed_communicator(f"{scope}:{path or node.attr}", path or node.attr)
        if self.project.settings.uniform and self.project.is_uniform(ir.dotted(node)):
            return Value.uniform()
        return found

    def _communicator_attribute(self, communicator: Communicator, node: ir.Attribute) -> Value:
        for operation in self.project.catalogue.communicator_method(node.attr):
            if operation.attribute and operation.result is Result.RANK:
                return self.rank_of(communicator, node.span)
            if operation.attribute and operation.result is Result.SIZE:
                return Value.uniform(SizeOf(communicator))
        return NOTHING

    def rank_of(self, communicator: Communicator, span: ir.Span) -> Value:
        """The rank of the calling process, with its source as first reason."""
        content = Uniformity(Level.RANK, communicator.rank_groups()).because(
            self.module, span, f"rank in {communicator.label}: differs between processes"
        )
        return Value(RankOf(communicator), content, UNIFORM, UNIFORM)

    def world_rank(self, span: ir.Span, message: str) -> Value:
        """The rank of a process in the world, read from a source other than a communicator."""
        content = Uniformity(Level.RANK, frozenset({WORLD})).because(self.module, span, message)
        return Value(None, content, UNIFORM, UNIFORM)

    # --- operations ---

    def _subscript(self, node: ir.Subscript, env: Environment) -> Value:
        place = place_of_entry(node) if self.held_roots else None
        if place is not None and place in env:
            return env[place]
        base, index = self.value(node.value, env), self.value(node.index, env)
        if is_result_of(base, NUMBER):
            return NOTHING  # it has no elements: a test of its type leads elsewhere
        match base.entity, index.entity:
            case Named("os.environ"), Literal(str() as name, _) if name in RANK_VARIABLES:
                return self.world_rank(node.span, f"rank of this process, set by the launcher in {name}")
        if base.elements is not None and isinstance(index.entity, Literal) and type(index.entity.value) is int:
            position = index.entity.value
            if not isinstance(base.entity, Record) and -len(base.elements) <= position < len(base.elements):
                return base.elements[position]
        known = entry(base, index.entity.value) if isinstance(index.entity, Literal) else any_entry(base)
        if known is not None:
            return known
        if is_divided_shape(base):
            lower = node.index.lower if isinstance(node.index, ir.Slice) else node.index
            return extents(base, self.value(lower, env) if lower is not None else Value.uniform())
        if isinstance(node.index, ir.Slice):
            bounds = (node.index.lower, node.index.upper, node.index.step)
            cut = self.extent([self.value(bound, env) if bound is not None else Value.uniform() for bound in bounds])
            if cut is UNKNOWN and node.index.lower is not None and node.index.upper is not None:
                cut = self.distance((node.index.lower, node.index.upper), env)
            entity = base.entity if isinstance(base.entity, Container) else None
            return Value(entity, base.content.join(index.content), base.structure.join(cut), UNIFORM)
        if is_result_of(base, ARRAY_SPLIT) and index.content.level is Level.RANK:
            own = index.content.because(self.module, node.span, "each process takes a part of different length")
            return Value(None, base.content.join(index.content), own, UNIFORM)
        if is_array(base) and isinstance(node.index, ir.Comparison):
            index = replace(index, entity=Container(MASK))  # an array that selects from an array of numpy is one too
        part = part_of_array(base, index)
        if part is not None:
            return part
        content = base.content if base.elements is None else common([one.content for one in base.elements])
        if index.content.level is Level.RANK and not content.level.diverges and base.elements is None:
            own = Uniformity(Level.LOCAL, index.content.groups, index.content.reason)
            return Value(None, own.because(self.module, node.span, _OWN_ELEMENT, Source.ELEMENT), UNKNOWN, UNKNOWN)
        return Value(None, content.join(index.content), UNKNOWN, UNKNOWN)

    def distance(self, bounds: tuple[ir.Expression, ir.Expression], env: Environment) -> Uniformity:
        """The number of elements between two bounds that both depend on the rank."""
        values = [self.value(bound, env) for bound in bounds]
        differs = distance_differs(self.function, bounds, values, env)
        return UNKNOWN if differs is None else values[1].content if differs else UNIFORM

    def extent(self, bounds: list[Value]) -> Uniformity:
        """The number of elements between bounds as in `range`; two divergent bounds may have a uniform distance."""
        if len(bounds) > 1 and all(bound.content.level.diverges for bound in bounds[:2]):
            return UNKNOWN
        return self.joined(bounds).content

    def _parts(self, node: ir.Expression, env: Environment) -> Value:
        return self.joined([self.value(child, env) for child in ir.children(node)])

    def _formatted(self, node: ir.FormattedString, env: Environment) -> Value:
        return self.text([self.value(child, env) for child in ir.children(node)], node.span)

    def text(self, parts: list[Value], span: ir.Span) -> Value:
        """A string formatted from parts."""
        return Value(ResultOf(TEXT, self.module.path, span), self.joined(parts).content, UNIFORM, UNIFORM)

    def _binary(self, node: ir.BinaryOperation, env: Environment) -> Value:
        left, right = self.value(node.left, env), self.value(node.right, env)
        entity = None
        sets = isinstance(left.entity, Unordered) and isinstance(right.entity, Unordered)
        if sets and node.operator in _SET_ALGEBRA:
            entity = left.join(right).entity
        elif node.operator in _SET_ALGEBRA and (_is_view(node.left) or _is_view(node.right)):
            entity = Unordered()
        elif node.operator in _SET_ALGEBRA and isinstance(left.entity, Unordered) and right.entity is None:
            entity = Unordered()  # Python has no other right operand
        elif node.operator == "/" and is_result_of(left, PATH):
            entity = left.entity
        elif node.operator in ("+", "%") and (is_text(left) or (node.operator == "+" and is_text(right))):
            return self.text([left, right], node.span)
        joined = self.joined([left, right], entity or combined(node.operator, [left, right]))
        if node.operator == "*":
            return repeated(joined, left, right)
        return put_together(self, node, joined, env) if node.operator == "+" else joined

    def _unary(self, node: ir.UnaryOperation, env: Environment) -> Value:
        operand = self.value(node.operand, env)
        return self.joined([operand], operand.entity if is_array(operand) and node.operator != "not" else None)

    def _boolean(self, node: ir.BooleanOperation, env: Environment) -> Value:
        values = [self.value(operand, env) for operand in self.function.constants.results(node)]
        joined = reduce(Value.join, values)
        if node.operator == "or" and is_certain(values[-1]):
            joined = replace(joined, noneness=UNIFORM)
        agreeing = not all(value.content.level.diverges for value in values)
        if node.operator == "or" and joined.content.level.diverges and agreeing:
            joined = joined.of_content(replace(joined.content, overruled=True))
        return of_several_processes(self, node, joined, env)

    def _comparison(self, node: ir.Comparison, env: Environment) -> Value:
        values = [self.value(operand, env) for operand in node.operands]
        if asks_for_presence(self.function, node, values[-1]):
            return Value(None, values[0].noneness, UNIFORM, UNIFORM)
        if any(isinstance(value.entity, Communicator) for value in values):
            return NOTHING  # members and non-members of a group differ, which the comparison itself explains
        if node.operators[0] in ("in", "not in") and is_weak(values[-1]):
            return Value(None, self.left_over(node.span), UNIFORM, UNIFORM)
        if node.operators[0] in ("in", "not in") and values[-1].elements is None:
            values[-1] = Value(None, values[-1].structure)  # a key of a mapping is part of its structure
        if holds_on_all(node, values, lambda operand: self.value(operand, env).entity):
            return Value.uniform()
        return self.joined(values, combined("", values, comparison=True))

    def left_over(self, span: ir.Span) -> Uniformity:
        """Whether a weak container still has elements."""
        return Uniformity(Level.LOCAL).because(
            self.module, span, "depends on garbage collection in this process", Source.CACHE
        )

    def _conditional(self, node: ir.Conditional, env: Environment) -> Value:
        outcome = self.function.constants.decided(node.test)
        if outcome is not None:
            return self.value(node.body if outcome else node.orelse, env)
        test = self.value(node.test, env)
        body, orelse = self.value(node.body, env), self.value(node.orelse, env)
        joined = body.join(orelse)
        shifted = joined.content.level is Level.UNKNOWN and are_shifted(node.body, node.orelse)
        if not test.content.level.diverges or (body == orelse and not shifted):
            return joined
        content = test.content.because(self.module, node.test.span, "decides which value is taken")
        none = is_none(body) != is_none(orelse)
        noneness = content if none else joined.noneness
        structure = content if are_resized(node.body, node.orelse) else joined.structure
        return Value(joined.entity, content, structure, noneness, chosen_elements(body, orelse, joined, content))

    def _collection(self, node: ir.Collection, env: Environment) -> Value:
        return collection(self, node, env)

    def _dictionary(self, node: ir.Dictionary, env: Environment) -> Value:
        return dictionary(self, node, env)

    def _comprehension(self, node: ir.Comprehension, env: Environment) -> Value:
        return comprehension(self, node, env)

    def _lambda(self, node: ir.Lambda, env: Environment) -> Value:
        return Value.uniform(FunctionReference(self.module.path, node.function))

    def _element(self, node: ir.Element, env: Environment) -> Value:
        iterable = iterated(self.project, self.value(node.iterable, env), self.module, node.iterable.span)
        element = self.element_of(iterable, node.span)
        elements = numbered(self, node.iterable, env) or element.elements
        return Value(element.entity, element.content, iterable.structure, element.noneness, elements)

    def element_of(self, iterable: Value, span: ir.Span) -> Value:
        """The element that one iteration over a value yields."""
        if isinstance(iterable.entity, Unordered) and not iterable.entity.stable:
            order = Uniformity(Level.ORDER).because(
                self.module, span, "the iteration order of a set differs between processes"
            )
            return Value(None, iterable.content.join(order))
        if isinstance(iterable.entity, Record):
            return Value(None, iterable.structure)
        if iterable.elements:
            return reduce(Value.join, iterable.elements)
        if iterable.entity == Container(ROW):
            return Value(ResultOf(NUMBER, self.module.path, span), iterable.content, UNIFORM, UNIFORM)
        return Value(None, iterable.content)

    def _matches(self, node: ir.Matches, env: Environment) -> Value:
        if node.irrefutable:
            return Value.uniform()
        return self.joined([self.value(child, env) for child in ir.children(node)])

    def _inner(self, node: ir.Starred | ir.Await | ir.NamedExpression, env: Environment) -> Value:
        return self.value(node.value, env)

    def _entered(self, node: ir.Entered, env: Environment) -> Value:
        return entered_value(self, node.context, env)

    def _called(self, node: ir.Call, env: Environment) -> Value:
        return self.calls.value(node, env)


_METHODS: dict[type[ir.Expression], Callable[[Evaluator, Any, Environment], Value]] = {
    ir.Name: Evaluator._name,
    ir.Constant: Evaluator._constant,
    ir.Attribute: Evaluator._attribute,
    ir.Call: Evaluator._called,
    ir.Subscript: Evaluator._subscript,
    ir.Slice: Evaluator._parts,
    ir.BinaryOperation: Evaluator._binary,
    ir.UnaryOperation: Evaluator._unary,
    ir.BooleanOperation: Evaluator._boolean,
    ir.Comparison: Evaluator._comparison,
    ir.Conditional: Evaluator._conditional,
    ir.Collection: Evaluator._collection,
    ir.Dictionary: Evaluator._dictionary,
    ir.FormattedString: Evaluator._formatted,
    ir.Comprehension: Evaluator._comprehension,
    ir.Lambda: Evaluator._lambda,
    ir.Starred: Evaluator._inner,
    ir.Await: Evaluator._inner,
    ir.NamedExpression: Evaluator._inner,
    ir.Element: Evaluator._element,
    ir.Entered: Evaluator._entered,
    ir.Matches: Evaluator._matches,
}


def _is_view(node: ir.Expression) -> bool:
    """Whether an expression is a keys or items view of a dict, whose combination with others is a set."""
    return (
        isinstance(node, ir.Call)
        and not node.args
        and isinstance(node.func, ir.Attribute)
        and node.func.attr in ("keys", "items")
    )
