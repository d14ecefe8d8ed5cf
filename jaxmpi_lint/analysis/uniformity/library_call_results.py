"""Results of library calls that do not communicate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNIFORM,
    UNKNOWN,
    Compiled,
    Container,
    FunctionReference,
    Literal,
    RankOf,
    Record,
    ResultOf,
    SizeOf,
    Uniformity,
    Unordered,
    Value,
    is_replicated,
    literal,
)
from jaxmpi_lint.analysis.lattice.partial_application import with_arguments_ahead
from jaxmpi_lint.analysis.lattice.shape_queries import OWN_LENGTH, asked_of_array
from jaxmpi_lint.analysis.lattice.value_queries import holds_text, is_none, names_class
from jaxmpi_lint.analysis.uniformity.collected_lengths import collected
from jaxmpi_lint.analysis.uniformity.container_mutation import may_be_levelled
from jaxmpi_lint.analysis.uniformity.range_lengths import steps_differ
from jaxmpi_lint.analysis.uniformity.slice_lengths import put_together
from jaxmpi_lint.analysis.uniformity.user_call_results import iterated
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.model import Tracing, Transform
from jaxmpi_lint.library.names import RANK_VARIABLES
from jaxmpi_lint.library.python.container_methods import ARRAY, CONSTRUCTORS, FILE, FILES, KEEPS_CONTENT_ONLY, ROW
from jaxmpi_lint.library.python.divergence_sources import (
    DIVERGENT_CALLS,
    ENVIRONMENT_READS,
    NUMPY_RANDOM,
    ORDER_BLIND,
    PURE_BUILTINS,
    PURE_PACKAGES,
    SHAPED_BY_ARGUMENTS,
    SIZE_OF_RANDOM,
    TEXT_FUNCTIONS,
)
from jaxmpi_lint.library.python.names import PARTIAL
from jaxmpi_lint.library.python.random_seeds import GENERATORS
from jaxmpi_lint.library.python.sequences import ARANGE, ARRAY_SPLIT, CHAIN, CYCLE, ITERATES_ARGUMENTS, PROGRESS_BARS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_OF_PROCESS = frozenset({Source.CLOCK, Source.MACHINE, Source.RANDOM})


class LibraryResults:
    """Results of the library calls of one function."""

    def __init__(self, evaluator: ExpressionEvaluator) -> None:
        self.evaluator = evaluator
        self.project = evaluator.project
        self.module: ir.Module = evaluator.module

    def result(self, dotted: str, call: ir.Call, env: Environment) -> Value:
        """What a call of a library function or class returns."""
        transform = self.project.catalogue.transform(dotted)
        if transform is not None:
            return self._transformed(transform, call, env)
        if dotted in ENVIRONMENT_READS:
            return self._environment_read(call, self._arguments(call, env))
        if dotted in DIVERGENT_CALLS:
            return self.differing(dotted, call)
        if dotted == "getattr":
            return self._attribute(call, env)
        if dotted in PROGRESS_BARS and call.args and call.args[0].keyword is None:
            return self.evaluator.value(call.args[0].value, env)
        if dotted == PARTIAL and call.args:
            return with_arguments_ahead(self._arguments(call, env), call)
        if dotted in GENERATORS:
            return self._generator(dotted, call, env)
        if dotted.startswith(NUMPY_RANDOM):
            return NOTHING
        if dotted in FILES:
            return Value(Container(FILE), UNKNOWN, UNKNOWN, UNIFORM)
        if dotted in CONSTRUCTORS and dotted.startswith("collections."):
            return self._container(dotted, self._arguments(call, env))
        if names_class(dotted) or self.project.catalogue.has_class(dotted):
            return Value(ResultOf(dotted, self.module.path, call.span), UNKNOWN, UNKNOWN, UNIFORM)
        return self._of_arguments(dotted, call, env)

    def _attribute(self, call: ir.Call, env: Environment) -> Value:
        """``getattr(a, "b")`` and, since a default replaces an attribute that is missing, ``getattr(a, "b", None)``."""
        match call.args:
            case (ir.Argument(value=held), ir.Argument(value=ir.Constant(value=str() as name)), *_):
                return self.evaluator.attribute(
                    self.evaluator.value(held, env), ir.Attribute(call.span, held, name), env
                )
        return NOTHING

    def _of_arguments(self, dotted: str, call: ir.Call, env: Environment) -> Value:
        """The result of a library function that is computed from its arguments in a known way."""
        name = dotted.removeprefix("builtins.")
        pure = name in PURE_BUILTINS or dotted.startswith(PURE_PACKAGES)
        if not pure and name not in TEXT_FUNCTIONS:
            return NOTHING
        arguments = self._arguments(call, env)
        if name in TEXT_FUNCTIONS:
            return self.evaluator.text(arguments, call.span)
        if name == "int" and len(arguments) == 1 and isinstance(arguments[0].entity, (RankOf, SizeOf)):
            return arguments[0]
        if name == ARRAY_SPLIT:
            return Value(ResultOf(dotted, self.module.path, call.span), self.evaluator.joined(arguments).content)
        if name == "len":
            return self._length(arguments, call, env)
        if name == "next" and len(arguments) > 1 and arguments[0].structure.level is not Level.UNIFORM:
            arguments.append(NOTHING)  # its presence selects one of the two
        if name in ITERATES_ARGUMENTS:
            arguments = [iterated(self.project, argument, self.module, call.span) for argument in arguments]
        found = self._pure_result(name, arguments, call.span)
        if name in ("range", ARANGE) and found.structure is UNKNOWN and len(call.args) == 2 and not call.has_star:
            bounds = call.args[0].value, call.args[1].value
            found = replace(found, structure=self.evaluator.distance(bounds, env))
        elif name == "range" and found.structure.level is Level.RANK and self._has_equal_steps(call, env):
            end = self.evaluator.joined(arguments[1:]).content
            found = replace(found, structure=end if end.level.diverges else UNIFORM)
        if found.entity is None and (name in CONSTRUCTORS or dotted.startswith("numpy.")):
            found = replace(found, entity=Container(CONSTRUCTORS.get(name, ARRAY)))
        return put_together(self.evaluator, call, found, env) if name == CHAIN else found

    def _has_equal_steps(self, call: ir.Call, env: Environment) -> bool:
        """Whether a range with a start, an end and a step has equally many elements on all ranks."""
        bounds = [argument.value for argument in call.args]
        values = [self.evaluator.value(bound, env) for bound in bounds]
        return (
            len(bounds) == 3
            and not call.has_star
            and steps_differ(self.evaluator.function, bounds, values, env) is False
        )

    def _container(self, dotted: str, arguments: list[Value]) -> Value:
        """A container of `collections`, filled from the last argument."""
        filled = arguments[1:] if dotted.endswith("defaultdict") else arguments[:1]
        joined = self.evaluator.joined(filled)
        structure = UNKNOWN if filled and dotted in KEEPS_CONTENT_ONLY else joined.structure
        return Value(Container(CONSTRUCTORS[dotted]), joined.content, structure, UNIFORM)

    def _arguments(self, call: ir.Call, env: Environment) -> list[Value]:
        return [self.evaluator.value(argument.value, env) for argument in call.args]

    def differing(self, dotted: str, call: ir.Call, seed: Uniformity = UNKNOWN) -> Value:
        """The result of a call whose results differ between processes, such as the ``seed`` of a generator."""
        level, source, message = DIVERGENT_CALLS[dotted]
        if source is Source.RANDOM and self.project.has_common_seed(dotted, self.module.path):
            return NOTHING
        own = Uniformity(level, seed.groups if seed.level.diverges else frozenset()).because(
            self.module, call.span, message, source
        )
        is_array = dotted.startswith(NUMPY_RANDOM) and bool(call.args)
        entity = Container(self._kind_of_random(dotted, call)) if is_array else None
        return Value(entity, own, own if source is Source.LISTING else UNKNOWN, UNIFORM)

    def _kind_of_random(self, dotted: str, call: ir.Call) -> str:
        """The kind of an array of random numbers: of one dimension if its size is a number."""
        position = SIZE_OF_RANDOM.get(dotted.rpartition(".")[2])
        match call.argument(position, "size") if position is not None else None:
            case None:
                return ARRAY
            case ir.Call(func=ir.Name(id="len" | "int")):
                return ROW
            case size:
                known = self.evaluator.function.constants.of(size)
                return ROW if known is not None and known.kind == "int" else ARRAY

    def _generator(self, dotted: str, call: ir.Call, env: Environment) -> Value:
        """A per-process generator of random numbers; one with an equal seed is not reported."""
        seed = call.argument(0, "seed") or call.argument(0, "x")
        given = self.evaluator.value(seed, env) if seed is not None else literal(None)
        if call.has_star or not (is_none(given) or _is_of_process(given.content)):
            return NOTHING
        content = given.content if given.content.level.diverges else UNKNOWN
        return Value(ResultOf(dotted, self.module.path, call.span), content, UNKNOWN, UNIFORM)

    def _length(self, arguments: list[Value], call: ir.Call, env: Environment) -> Value:
        """The number of elements: known where it differs, is a literal, or follows from equal arguments.

        The length of a container that elements are added to may have been made equal.
        """
        if len(arguments) != 1 or may_be_levelled(self.evaluator.function, ir.dotted(call.args[0].value)):
            return NOTHING
        held, span = arguments[0], call.span
        if held.structure.level in (Level.RANK, Level.LOCAL):
            told = held.structure.because(self.module, span, OWN_LENGTH)
            return Value(None, told, UNIFORM, UNIFORM)
        if held.elements is not None or is_replicated(held):
            return Value.uniform()
        own = collected(self.evaluator, call.args[0].value, env)
        return Value(None, own.because(self.module, span, OWN_LENGTH), UNIFORM, UNIFORM) if own is not None else NOTHING

    def _pure_result(self, name: str, arguments: list[Value], span: ir.Span) -> Value:
        joined = self.evaluator.joined(arguments)
        asked = asked_of_array(name, joined, self.module, span)
        if asked is not None:
            return asked
        if name in ("set", "frozenset"):
            return Value(Unordered(self._stable(arguments), holds_text(arguments)), joined.content, UNKNOWN, UNIFORM)
        if name in ("range", ARANGE):
            return Value(None, joined.content, self.evaluator.extent(arguments), UNIFORM)
        if name in SHAPED_BY_ARGUMENTS:
            sizes = arguments[:1] + arguments[2:] if name.endswith(".full") else arguments
            shape = self.evaluator.joined(sizes).content
            is_filled = name.endswith((".zeros", ".ones")) and shape.level.diverges  # with elements that are all equal
            return Value(None, UNKNOWN if is_filled else joined.content, shape, UNIFORM)
        if name in ORDER_BLIND and joined.content.level is Level.ORDER:
            return Value(None, UNKNOWN, UNKNOWN, UNIFORM)
        if name == CYCLE:
            return Value(joined.entity, joined.content, UNIFORM, UNIFORM)  # infinite on every process
        if name in ("list", "tuple", "enumerate", "zip", "reversed", "iter", "map", "filter"):
            return self._reordered(arguments, joined)
        return Value(joined.entity, joined.content, joined.structure, UNIFORM, joined.elements)

    def _reordered(self, arguments: list[Value], joined: Value) -> Value:
        if any(isinstance(a.entity, Unordered) and not a.entity.stable for a in arguments):
            return Value(Unordered(text=holds_text(arguments)), joined.content, joined.structure, UNIFORM)
        elements = arguments[0].elements if len(arguments) == 1 else None
        return Value(joined.entity, joined.content, joined.structure, UNIFORM, elements)

    def _stable(self, arguments: list[Value]) -> bool:
        """Whether a set holds only small integers: of a list of integer literals, or the keys of a dict."""
        if not arguments:
            return False
        entity, elements = arguments[0].entity, arguments[0].elements
        if isinstance(entity, Record):
            return bool(entity.keys) and all(isinstance(key, int) for key in entity.keys)
        if elements is None:
            return False
        return all(isinstance(e.entity, Literal) and e.entity.kind == "int" for e in elements)

    def _environment_read(self, call: ir.Call, arguments: list[Value]) -> Value:
        name = arguments[0].entity if arguments else None
        if isinstance(name, Literal) and name.value in RANK_VARIABLES:
            return self.evaluator.world_rank(call.span, f"rank of this process, set by the launcher in {name.value}")
        return Value(None, UNKNOWN, UNKNOWN, UNKNOWN)

    def _transformed(self, transform: Transform, call: ir.Call, env: Environment) -> Value:
        compiled = NOTHING
        for name, position in transform.functions:
            argument = call.argument(position, name)
            if argument is None:
                continue
            value = self.evaluator.value(argument, env)
            for candidate in value.elements or (value,):
                function = candidate.entity.function if isinstance(candidate.entity, Compiled) else candidate.entity
                if isinstance(function, FunctionReference):
                    self.project.traced.note(function, transform, self.module, call.span)
                    if transform.tracing in (Tracing.STAGE, Tracing.TRANSFORM):
                        compiled = Value.uniform(Compiled(transform.name, function))
        return compiled


def _is_of_process(seed: Uniformity) -> bool:
    """Whether a seed provably differs between the processes; received values may be equal."""
    return seed.level is Level.RANK or (seed.level is Level.LOCAL and seed.source in _OF_PROCESS)
