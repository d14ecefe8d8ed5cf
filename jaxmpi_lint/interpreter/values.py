"""Values of an interpreted program that are neither plain Python data nor symbols.

Numbers, strings, tuples, lists, dicts and sets are those of Python; each rank has separate ones.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis import ir as nodes
from jaxmpi_lint.interpreter.class_bodies import has_setting, merged
from jaxmpi_lint.interpreter.container_values import Names
from jaxmpi_lint.interpreter.derived_names import MIXED_IN, RECORD_BASES, SPECIAL
from jaxmpi_lint.interpreter.symbols import freeze

Value = Any
Running = Generator[Any, Any, Value]
"""A computation that may communicate: it yields events and is resumed with their results."""


class Cut(Exception):
    """The world cannot be followed further: its reason is counted and shown by ``--verbose``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotMeant(Cut):
    """The choices of the world are such that an assertion of the program does not hold: it shows no fault."""


ITEMS = "*items"
"""The field of an object of a class derived from a library's: the items that the program has stored in it."""


@dataclass(slots=True)
class Scope:
    """Names of a frame or module; ``outer`` encloses it (closures), ``module`` holds the globals."""

    names: dict[str, Value]
    module: ModuleValue
    outer: Scope | None = None


@dataclass(slots=True, eq=False)
class ModuleValue:
    """A module of the project in one rank."""

    ir: nodes.Module
    scope: Scope = field(init=False)
    is_ready: bool = False

    def __post_init__(self) -> None:
        self.scope = Scope(Names(), self)

    def freeze(self, _depth: int) -> object:
        """The path."""
        return "module", self.ir.path


@dataclass(slots=True, eq=False)
class FunctionValue:
    """A function of the project with its closure and the values of its defaults.

    ``owner`` is the class whose body defines it, for ``super()``. ``decorator`` names what a decorator adds:
    ``contextmanager``, ``compiled``, ``cached``.
    """

    ir: ir.Function
    scope: Scope
    defaults: dict[str, Value]
    owner: ClassValue | None = None
    decorators: tuple[str, ...] = ()
    cache: dict[object, Value] = field(default_factory=dict)
    fields: dict[str, Value] = field(default_factory=dict)

    @property
    def module(self) -> nodes.Module:
        """The file."""
        return self.scope.module.ir

    def freeze(self, _depth: int) -> object:
        """The place of the definition."""
        return "function", self.module.path, self.ir.qualname


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class of the project; ``bases`` may hold classes of libraries (`Library`) and symbols."""

    ir: ir.Class
    module: ModuleValue
    bases: tuple[Value, ...]
    members: dict[str, Value]
    decorators: tuple[str, ...] = ()
    _order: list[ClassValue] = field(default_factory=list, init=False, repr=False)
    _libraries: tuple[str, ...] | None = field(default=None, init=False, repr=False)

    def __eq__(self, other: object) -> bool:
        """Each rank has classes of its own; those of one definition are equal, as for an object that was received."""
        return isinstance(other, ClassValue) and self.ir is other.ir

    def __hash__(self) -> int:
        """By the definition."""
        return hash(id(self.ir))

    @property
    def is_enumeration(self) -> bool:
        """Whether a base is an `enum.Enum` or the like."""
        return any(isinstance(base, Library) and base.dotted.startswith("enum.") for base in self.library_bases())

    @property
    def enumerated(self) -> dict[str, Value]:
        """The members of an enumeration by their names, aliases included; those of an `enum.IntEnum` are numbers."""
        found = ((name, one) for name, one in self.members.items() if not name.startswith("_"))
        return {name: one for name, one in found if type(one) is int or (isinstance(one, Instance) and one.cls is self)}

    @property
    def has_metaclass(self) -> bool:
        """Whether a metaclass may add members, or decide what a call of the class does."""
        return any("metaclass" in one.ir.keywords for one in self.order())

    @property
    def is_data(self) -> bool:
        """Whether its objects may be equal to data: a base is a type of a library that compares by value."""
        return not all(isinstance(base, Library) and base.dotted in _WITHOUT_DATA for base in self.library_bases())

    @property
    def is_record(self) -> bool:
        """Whether its objects are equal if their fields are: a dataclass, a named tuple."""
        if any("dataclass" in one.decorators for one in self.order()):
            return True
        return any(isinstance(base, Library) and base.dotted in RECORD_BASES for base in self.library_bases())

    @property
    def is_tuple(self) -> bool:
        """Whether its objects are named tuples."""
        return any(isinstance(base, Library) and base.dotted == "typing.NamedTuple" for base in self.library_bases())

    @property
    def is_ordered(self) -> bool:
        """Whether its objects are ordered as the tuples of their fields are."""
        return self.is_tuple or (self.is_record and any(has_setting(one.ir, "order") for one in self.order()))

    @property
    def uncompared(self) -> frozenset[str]:
        """The fields that do not count when objects are compared: those with ``field(compare=False)``."""
        members = ((name, value) for one in self.order() for name, value in one.members.items())
        settings = ((name, getattr(value, "settings", None)) for name, value in members)
        return frozenset(name for name, given in settings if given is not None and given.get("compare") is False)

    @property
    def is_frozen(self) -> bool:
        """Whether its objects are records whose fields cannot be assigned."""
        return any("dataclass" in one.decorators and has_setting(one.ir, "frozen") for one in self.order())

    @property
    def is_hashed_by_value(self) -> bool:
        """Whether equal objects are one key of a dict: a record that cannot change."""
        return self.is_record and (
            self.is_data or any(has_setting(one.ir, "frozen", "unsafe_hash") for one in self.order())
        )

    def order(self) -> list[ClassValue]:
        """The method resolution order of Python, of the classes of the project."""
        if not self._order:
            bases = [base for base in self.bases if isinstance(base, ClassValue)]
            self._order = [self, *merged([*(base.order() for base in bases), bases])]
        return self._order

    def library_bases(self) -> list[Value]:
        """The bases that are not classes of the project, those of the bases too."""
        return [base for one in self.order() for base in one.bases if not isinstance(base, ClassValue)]

    def find(self, name: str, after: ClassValue | None = None) -> Value:
        """A member of the class or its bases, those after a class for ``super()``; `MISSING` if there is none."""
        order = self.order()
        if after is not None and after in order:
            order = order[order.index(after) + 1 :]
        for one in order:
            if name in one.members:
                return one.members[name]
        return self._inherited(name)

    def _inherited(self, name: str) -> Value:
        """A method that a base of the standard library has; `MISSING` if it is not modelled."""
        if self._libraries is None:
            self._libraries = tuple(base.dotted for base in self.library_bases() if isinstance(base, Library))
        for base in self._libraries:
            if name in SPECIAL.get(base, ()):
                return LibraryMethod(f"derived.{name}")
            if name in MIXED_IN.get(base, ()):
                return LibraryMethod(f"mixin.{base.rpartition('.')[2]}.{name}")
        return MISSING

    def freeze(self, _depth: int) -> object:
        """The place of the definition."""
        return "class", self.module.ir.path, self.ir.qualname


_WITHOUT_DATA = frozenset(
    "object builtins.object abc.ABC abc.ABCMeta typing.Protocol typing.Generic enum.Enum enum.Flag".split()
)
"""Classes of libraries whose objects are equal only to themselves."""


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
"""No such name."""

EXHAUSTED = _Missing()
"""The end of a generator, as the default of ``next``."""


@dataclass(slots=True, eq=False)
class Instance:
    """An object of a class of the project; ``serial`` counts the objects of a rank."""

    cls: ClassValue
    serial: int
    fields: dict[str, Value] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """By the fields for a record that cannot change, so that it finds its entry in a dict."""
        if self is other or not self.cls.is_hashed_by_value:
            return self is other
        if not isinstance(other, Instance) or self.cls != other.cls:
            return False
        left_out = self.cls.uncompared
        return all(self.fields[name] == other.fields.get(name) for name in self.fields if name not in left_out)

    def __hash__(self) -> int:
        """Equal for equal objects."""
        return hash(self.cls) if self.cls.is_hashed_by_value else id(self)

    def compared(self) -> tuple[Value, ...]:
        """The fields that count when objects are compared."""
        left_out = self.cls.uncompared
        return tuple(value for name, value in self.fields.items() if name not in left_out)

    def freeze(self, depth: int) -> object:
        """The class and the fields."""
        if depth <= 0:
            return "object", self.cls.ir.qualname
        fields = (
            (name, freeze(value, depth - 2))
            for name, value in sorted(self.fields.items(), key=lambda field: str(field[0]))
        )
        return "object", self.cls.ir.qualname, *fields


@dataclass(slots=True, eq=False)
class BoundMethod:
    """A function with its first argument."""

    function: Value
    receiver: Value

    def freeze(self, depth: int) -> object:
        """Function and receiver."""
        return "method", freeze(self.function, depth), freeze(self.receiver, depth)


@dataclass(slots=True, eq=False)
class Partial:
    """`functools.partial`; ``is_method`` for `functools.partialmethod`."""

    function: Value
    args: tuple[Value, ...]
    keywords: dict[str, Value]
    is_method: bool = False

    def freeze(self, depth: int) -> object:
        """Function and arguments."""
        return "partial", freeze(self.function, depth), freeze(self.args, depth), freeze(self.keywords, depth)


@dataclass(frozen=True, slots=True)
class Library:
    """A name of a library: a module, function, class or constant."""

    dotted: str

    def freeze(self, _depth: int) -> object:
        """The name."""
        return "library", self.dotted


@dataclass(frozen=True, slots=True)
class LibraryMethod(Library):
    """A method of a class of a library, as an attribute of a class that is derived from it."""

    is_function: ClassVar[bool] = True


@dataclass(slots=True, eq=False)
class Method:
    """A method of a value that a model knows: ``name`` on ``receiver``."""

    receiver: Value
    name: str

    def freeze(self, depth: int) -> object:
        """Receiver and name."""
        return "method", self.name, freeze(self.receiver, depth)


@dataclass(slots=True, eq=False)
class GeneratorValue:
    """A running generator of the project, or of a model: ``running`` yields `Yielded` and events.

    ``is_sampled`` if it leaves out passes of a long loop, and so perhaps items. ``items`` are those of a container that
    it hands on, if it does nothing else. ``frame`` is its own, which is called from where an item is asked for.
    """

    running: Generator[Any, Any, Value]
    function: FunctionValue | None = None
    frame: Any = None
    is_done: bool = False
    started: bool = False
    is_sampled: bool = False
    frames: list[Any] = field(default_factory=list)
    result: Value = None
    items: Sequence[Value] = ()

    def freeze(self, _depth: int) -> object:
        """The function."""
        return "generator", self.function.ir.qualname if self.function is not None else ""


@dataclass(frozen=True, slots=True)
class Yielded:
    """A value that a generator of the program yields."""

    value: Value


@dataclass(slots=True, eq=False)
class Iterator:
    """The state of a loop: the items to come.

    ``is_guessed`` if their number was guessed; ``jump`` is where those in the middle of a long loop are left out,
    ``length`` the number of all of its items and ``turn`` the place of the loop. ``is_tested`` if the items with which
    tests in the loop compare those of the passes are among them. ``source`` is the iterator of the program whose items
    are those of a long loop.
    """

    items: Sequence[Value]
    position: int = 0
    generator: GeneratorValue | None = None
    is_guessed: bool = False
    jump: int = -1
    length: int = 0
    turn: object = None
    is_tested: bool = False
    source: Iterator | None = None

    @property
    def left(self) -> int:
        """The number of items to come, of those that are known."""
        return len(self.items) - self.position

    def freeze(self, depth: int) -> object:
        """The items to come."""
        if self.generator is not None:
            return "iterator", self.generator.freeze(depth)
        rest = self.items[self.position :]
        if not isinstance(rest, (list, tuple)):  # perhaps a very long range
            return "iterator", freeze(rest, depth)
        return "iterator", *(freeze(item, depth - 1) for item in rest)


class NeedsCall(Exception):
    """Evaluation of an expression needs a call of the program: a property or a special method.

    ``key`` finds the result among those of the step; by default it is that of the expression. ``keep`` is the field of
    an object that holds the result from then on, that of a cached property.
    """

    def __init__(
        self,
        expression: ir.Expression,
        function: Value,
        args: tuple[Value, ...],
        keywords: dict[str, Value] | None = None,
        key: object = None,
    ) -> None:
        super().__init__()
        self.expression = expression
        self.function = function
        self.args = args
        self.keywords = keywords or {}
        self.key = id(expression) if key is None else key
        self.keep: tuple[Instance, str] | None = None
