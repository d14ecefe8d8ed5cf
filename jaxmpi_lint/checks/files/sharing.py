"""Whether a path, or a flag, is the same on all ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.cfg.moments import Moments
from jaxmpi_lint.analysis.cfg.passed_arguments import argument_of, default_of, is_parameter
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, FunctionReference, ModuleReference, Named, Uniformity
from jaxmpi_lint.analysis.lattice.limits import SHARED_VALUE_DEFINITIONS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.model.call_sites import CallSites as NamedCalls
from jaxmpi_lint.checks.files.paths import Form, Frame, Part, field_values, is_field
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_OWN = re.compile(
    r"(?:^|[^a-z])(?:\w*rank|proc(?:ess)?(?:_?id|_?index)?|pid|hostname|node(?:_?name)?|uuid\w*|"
    r"(?:mkd|get)?te?mp(?:dir|file|_?path|_\w+)?|TemporaryDirectory|NamedTemporaryFile|scratch\w*|local\w*|worker\w*|"
    r"device\w*|gpu\w*|thread\w*|task\w*|jobs?(?:_?id)?|hosts?|slurm\w*|shard\w*|chunk\w*|part(?:ition)?s?|batch\w*|"
    r"my\w*|seed\w*|replicas?|chains?|walkers?|random\w*|idx|index|color|group\w*|suffix|unique\w*|id)(?![a-z])",
    re.IGNORECASE,
)
"""Names of values that may be separate for each process, or for the work of each."""

_OF_RANK = re.compile(
    r"(?:^|[^a-z])(?:\w*rank|proc(?:ess)?_?(?:id|index|num(?:ber)?)|pid|hostname|uuid\w*|te?mp(?:_?dir|_?path|_?folder)?|"
    r"te?mp\w*dir\w*|local_\w*)(?![a-z])",
    re.IGNORECASE,
)
"""Names of values that certainly are, or of folders that are on one host."""

_OWN_FOLDER = re.compile(r"^/(?:tmp|dev|proc|scratch|local|var)\b")
_CONFIGURATION = re.compile(
    r"(?:^|_)(?:args?|argv|opts?|options?|cfgs?|conf|config\w*|params?|parameters?|settings?|flags|hparams|"
    r"hp|namespace|cli|par_?dict|parset)$|"
    r"(?-i:[a-z](?:Args|Opts|Options|Config|Params|Parameters|Settings|Flags)$)",
    re.IGNORECASE,
)
_PURE = frozenset(
    "abspath as_posix basename capitalize commonpath dirname endswith expanduser expandvars format fspath get getcwd "
    "getenv int join joinpath len list lower lstrip max min normpath parse_args range realpath relative_to replace "
    "resolve rpartition partition rsplit rstrip round sorted split splitext startswith str strip title tuple upper "
    "with_name with_stem with_suffix zfill Path PurePath float bool enumerate zip reversed items keys values absolute "
    "open read load loads full_load munchify DictConfig from_yaml ConfigParser FileInput glob listdir iterdir rglob "
    "cwd home safe_load arange linspace parse_known_args OrderedDict dict set isoformat strftime now today".split()
)
"""Functions and methods, by their last name, with equal results for equal operands."""


_LATE_DEFINITIONS = 3
_FILLING = frozenset({"append", "extend", "add", "update", "insert", "setdefault"})


class Sameness(Enum):
    """What is known about a value on the ranks."""

    SAME = 0
    UNKNOWN = 1
    OWN = 2


def _worst(found: Iterable[Sameness]) -> Sameness:
    return max(found, key=lambda one: one.value, default=Sameness.SAME)


class Sharing:
    """Answers for one project.

    ``together``: about functions that all ranks run. As a rule their arguments are then the same, unless their names
    say that they belong to one rank; without that, nothing is known of the parameters of functions that nothing calls.
    """

    def __init__(self, sites: CallSites, named: NamedCalls, *, together: bool = False) -> None:
        self._sites = sites
        self._by_name = named
        self._together = together
        self._known: dict[object, Sameness] = {}

    def of_form(self, form: Form, common: frozenset[str] = frozenset()) -> Sameness:
        """A path; the parts whose text is in ``common`` are known to be the same by other evidence."""
        return _worst(self._of_part(part, common) for part in form) if form else Sameness.UNKNOWN

    def _of_part(self, part: Part, common: frozenset[str]) -> Sameness:
        if part.expression is None or part.function is None:
            return Sameness.OWN if _OWN_FOLDER.match(part.text) else Sameness.SAME
        found = self.of(part.function, part.expression, part.frame)
        return Sameness.SAME if found is Sameness.UNKNOWN and part.text in common else found

    def of(self, function: Function, expression: ir.Expression, frame: Frame | None = None, depth: int = 0) -> Sameness:
        """An expression of a function, as a call runs it."""
        key = (*function.key, function.run, type(expression), expression.span, _calls(frame))
        if key not in self._known:
            self._known[key] = Sameness.SAME  # for values that are computed from themselves
            self._known[key] = self._evaluated(function, expression, frame, depth)
        return self._known[key]

    def _evaluated(self, function: Function, expression: ir.Expression, frame: Frame | None, depth: int) -> Sameness:
        if _is_temporary(function, expression):
            return Sameness.OWN
        content = function.value(expression, function.flow.exit).content
        if content.level.diverges:  # a field of the object may have been replaced since
            content = function.get(Moments).value(expression).content
        if content.level is Level.UNIFORM and not _is_of_loop(function, expression):
            return Sameness.SAME
        if content.level.diverges and not _is_alike_in_practice(function, expression, content):
            return Sameness.OWN
        if depth > SHARED_VALUE_DEFINITIONS:
            return Sameness.UNKNOWN
        match expression:
            case ir.Constant():
                return Sameness.SAME
            case ir.Name(id=name) | ir.Attribute(attr=name) if _OF_RANK.search(name):
                return Sameness.OWN
            case ir.Name(id="__file__" | "__name__"):
                return Sameness.SAME
            case ir.Name(id=name):
                return self._named(function, name, frame, depth)
            case ir.Attribute() | ir.Subscript():
                return self._chosen(function, expression, frame, depth)
            case ir.Call():
                return self._called(function, expression, frame, depth)
            case ir.Entered(context=inner):
                return self.of(function, inner, frame, depth + 1)
            case ir.Element(iterable=inner):
                return self._element(function, inner, frame, depth)
            case ir.Comprehension(generators=generators):
                used = (*(one.iterable for one in generators), *_free_names(function, expression))
                return _worst(self.of(function, one, frame, depth) for one in used)
            case (
                ir.BinaryOperation()
                | ir.FormattedString()
                | ir.Conditional()
                | ir.Collection()
                | ir.UnaryOperation()
                | ir.Comparison()
                | ir.BooleanOperation()
                | ir.Dictionary()
                | ir.Slice()
            ):
                return _worst(self.of(function, part, frame, depth) for part in ir.children(expression))
        return Sameness.UNKNOWN

    def _element(self, function: Function, iterable: ir.Expression, frame: Frame | None, depth: int) -> Sameness:
        """The element of an iteration: a field may get its elements from other methods, which is not tracked."""
        match iterable:
            case ir.Attribute() | ir.Subscript() if not _CONFIGURATION.search(_root(iterable)):
                return Sameness.UNKNOWN
            case ir.Name(id=name):
                found = visible_definitions(function, name)
                if found is None or any(isinstance(value, (ir.Attribute, ir.Subscript)) for value in found[1]):
                    return Sameness.UNKNOWN
        return self.of(function, iterable, frame, depth + 1)

    # --- names ---

    def _named(self, function: Function, name: str, frame: Frame | None, depth: int) -> Sameness:
        if is_parameter(function, name):
            found = self._passed(function, name, frame, depth)
        else:
            found = self._assigned(function, name, frame, depth)
        if found is Sameness.UNKNOWN and _OWN.search(name):
            return Sameness.OWN
        is_assumed = (
            found is Sameness.UNKNOWN and _CONFIGURATION.search(name) and not _is_made_by_argument(function, name)
        )
        return Sameness.SAME if is_assumed else found

    def _assigned(self, function: Function, name: str, frame: Frame | None, depth: int) -> Sameness:
        found = visible_definitions(function, name)
        if found is None:
            return self._replaced(function, name, frame, depth)
        scope, values = found
        inner = frame if scope.key == function.key else None
        found_here = _worst(self.of(scope, value, inner, depth + 1) for value in values)
        return _worst((found_here, Sameness.UNKNOWN)) if _is_filled(scope, name, values) else found_here

    def _replaced(self, function: Function, name: str, frame: Frame | None, depth: int) -> Sameness:
        """A parameter that the function gives a value where the call does not."""
        values = function.assignments.get(name, {}).values()
        if not values or not self._is_assumed(function, name):
            return Sameness.UNKNOWN
        return _worst(self.of(function, value, frame, depth + 1) for value in values)

    def _passed(self, function: Function, name: str, frame: Frame | None, depth: int) -> Sameness:
        """An argument of the call that runs the function; without one, those of all visible calls."""
        if frame is not None:
            return self._argument(function, name, frame, depth)
        if self._is_assumed(function, name):
            return Sameness.SAME
        frames = [Frame(site.caller, site.bound.call) for site in self._sites.of(function)]
        if not frames:
            return Sameness.UNKNOWN
        return _worst(self._argument(function, name, one, depth) for one in frames)

    def _is_assumed(self, function: Function, name: str) -> bool:
        """Whether a parameter without visible arguments is taken for the same on all ranks."""
        if not self._together or _OWN.search(name) or (function.parent and function.parent.ir.kind != "module"):
            return False
        if all(one.name != name for one in function.ir.parameters) or _CONFIGURATION.search(name):
            return False
        if any(argument_of(function, name, site.bound.call) is not None for site in self._sites.of(function)):
            return False
        return not any(self._is_given_own(function, name, *call) for call in self._by_name.by_name(function))

    def _is_given_own(self, function: Function, name: str, caller: Function, call: ir.Call) -> bool:
        """Whether a call that may be of a function passes a value of one rank."""
        bound = caller.bound(call)
        entity = bound.callee.entity if bound is not None else None
        if isinstance(entity, FunctionReference) and entity.key != function.key:
            return False
        given = argument_of(function, name, call)
        return given is not None and self.of(caller, given) is Sameness.OWN

    def _argument(self, function: Function, name: str, frame: Frame, depth: int) -> Sameness:
        given = argument_of(function, name, frame.call)
        if given is not None:
            return self.of(frame.caller, given, frame.outer, depth + 1)
        default = default_of(function, name)
        known = default is not None and not frame.call.has_star
        return self.of(function, default, frame, depth + 1) if known and default is not None else Sameness.UNKNOWN

    # --- fields, options, elements ---

    def _chosen(self, function: Function, expression: ir.Expression, frame: Frame | None, depth: int) -> Sameness:
        """A field of the object of a method, or an entry of a configuration."""
        if isinstance(expression, ir.Attribute) and is_field(function, expression):
            return self._field(function, expression.attr, frame, depth)
        match expression:
            case ir.Attribute(value=ir.Name(id=name)) if self._is_assumed(function, name):
                return Sameness.UNKNOWN  # data of one rank may have a name
            case ir.Attribute(value=base, attr=attr):
                own = bool(_OWN.search(attr))
            case ir.Subscript(value=base, index=ir.Constant(value=key)):
                own = isinstance(key, str) and bool(_OWN.search(key))
            case ir.Subscript(value=base, index=index):
                own = False
                if self.of(function, index, frame, depth + 1) is not Sameness.SAME:
                    return Sameness.UNKNOWN
            case _:
                return Sameness.UNKNOWN
        found = self.of(function, base, frame, depth + 1)
        return Sameness.OWN if own and found is not Sameness.SAME else found

    def _field(self, function: Function, attribute: str, frame: Frame | None, depth: int) -> Sameness:
        values = field_values(function, attribute)
        found = _worst(self._stored(function, one, value, frame, depth) for one, value in values)
        if not values:
            found = Sameness.UNKNOWN
        if found is Sameness.UNKNOWN and _OWN.search(attribute):
            return Sameness.OWN
        if not values and not self._together and _has_foreign_base(function):
            return Sameness.UNKNOWN  # a base class may set names in its settings for each item that this rank handles
        return Sameness.SAME if found is Sameness.UNKNOWN and _CONFIGURATION.search(attribute) else found

    def _stored(
        self, function: Function, method: Function, value: ir.Expression, frame: Frame | None, depth: int
    ) -> Sameness:
        return self.of(method, value, frame if method.key == function.key else None, depth + 1)

    # --- calls ---

    def _called(self, function: Function, call: ir.Call, frame: Frame | None, depth: int) -> Sameness:
        name = call.func.attr if isinstance(call.func, ir.Attribute) else ir.dotted(call.func) or ""
        bound = function.bound(call)
        entity = bound.callee.entity if bound is not None else None
        if isinstance(entity, FunctionReference):
            return self._returned(function, entity, call, frame, depth)
        operands = [argument.value for argument in call.args]
        if isinstance(call.func, ir.Attribute) and (bound is None or bound.dotted is None):
            operands.append(call.func.value)
        found = _worst(self.of(function, operand, frame, depth) for operand in operands)
        if found is not Sameness.SAME:
            return found
        return Sameness.SAME if name in _PURE else Sameness.OWN if _OWN.search(name) else Sameness.UNKNOWN

    def _returned(
        self, function: Function, target: FunctionReference, call: ir.Call, frame: Frame | None, depth: int
    ) -> Sameness:
        """What a function of the project returns to a call."""
        callee = function.project.function(*target.key)
        if callee is None or callee.ir.is_generator:
            return Sameness.UNKNOWN
        inner = Frame(function, call, frame)
        given = [argument.value for argument in call.args]
        if any(self.of(function, one, frame, depth + 1) is Sameness.OWN for one in given):
            return Sameness.OWN
        ends = [block.terminator for block in callee.ir.blocks if isinstance(block.terminator, ir.Return)]
        values = [end.value for end in ends if end.value is not None]
        found = _worst(self.of(callee, value, inner, depth + 2) for value in values)
        return found if values else Sameness.UNKNOWN


def _is_made_by_argument(function: Function, name: str) -> bool:
    """Whether a function that was handed in makes the value, as fixtures of tests do: perhaps for each rank."""
    found = visible_definitions(function, name)
    return found is not None and any(
        isinstance(value, ir.Call) and isinstance(value.func, ir.Name) and is_parameter(found[0], value.func.id)
        for value in found[1]
    )


def _has_foreign_base(function: Function) -> bool:
    """Whether a method is of a class with a base class that is not part of the project."""
    models = function.module_model.class_model(function.ir.owner or "").linearization
    bases = (base for model in models for base in model.direct_bases)
    return any(not isinstance(base, ClassReference) and base != Named("object") for base in bases)


def _free_names(function: Function, expression: ir.Comprehension) -> list[ir.Name]:
    """The names of data that a comprehension does not bind itself."""
    bound = {node.id for one in expression.generators for node in ir.walk(one.target) if isinstance(node, ir.Name)}
    return [
        node
        for node in ir.walk(expression)
        if isinstance(node, ir.Name)
        and node.id not in bound
        and not isinstance(function.value(node, function.flow.exit).entity, (Named, ModuleReference, FunctionReference))
    ]


def _root(expression: ir.Expression) -> str:
    """The name at the beginning of a chain of attributes and indices."""
    while isinstance(expression, (ir.Attribute, ir.Subscript)):
        expression = expression.value
    return expression.id if isinstance(expression, ir.Name) else ""


def _is_of_loop(function: Function, expression: ir.Expression, depth: int = 0) -> bool:
    """Whether a value depends on an element of an iteration, on what a `with` binds, or on a filled container."""
    return any(
        isinstance(node, (ir.Element, ir.Entered))
        or (
            isinstance(node, ir.Name)
            and _is_bound_late(function, node.id, depth)
            and not isinstance(function.value(node, function.flow.exit).entity, (Named, ModuleReference))
        )
        for node in ir.walk(expression)
    )


def _is_bound_late(function: Function, name: str, depth: int) -> bool:
    if depth > _LATE_DEFINITIONS:
        return False
    found = visible_definitions(function, name)
    if found is None:  # a target of several names, or a parameter
        return function.is_local(name) and not is_parameter(function, name) and name != function.self_name
    scope, values = found
    return _is_filled(scope, name, values) or any(_is_of_loop(scope, value, depth + 1) for value in values)


def _is_temporary(function: Function, expression: ir.Expression) -> bool:
    """Whether a call makes a temporary file or folder, which has a separate name in each process."""
    bound = function.bound(expression) if isinstance(expression, ir.Call) else None
    return bound is not None and (bound.dotted or "").startswith("tempfile.")


def _is_filled(function: Function, name: str, values: list[ir.Expression]) -> bool:
    """Whether a list or a dict gets its elements after it is made."""
    if not any(isinstance(value, (ir.Collection, ir.Dictionary, ir.Call)) for value in values):
        return False
    stored = any(isinstance(place, ir.Subscript) and ir.dotted(place.value) == name for place in function.places_stored)
    return stored or bool(_FILLING & function.methods_called.get(name, set()))


def _calls(frame: Frame | None) -> tuple[ir.Span, ...]:
    calls: list[ir.Span] = []
    while frame is not None:
        calls.append(frame.call.span)
        frame = frame.outer
    return tuple(calls)


def _is_alike_in_practice(function: Function, expression: ir.Expression, content: Uniformity) -> bool:
    """Whether a value that may differ is usually equal: names in a folder, contents of a file, a formatted time.

    Ranks that format a time in the same second get the same text.
    """
    if content.level is Level.ORDER or content.source is Source.FILES:
        return True
    text = function.module.source(expression.span)
    return content.source is Source.CLOCK and ("strftime" in text or isinstance(expression, ir.Name))
