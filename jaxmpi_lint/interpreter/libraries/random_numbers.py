"""`random`: generators with a seed give the same numbers wherever the seed is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import same_draws
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import MISSING, Method, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_DRAWN = 256


class Generator(Modelled):
    """A generator of random numbers: ``seed`` is `MISSING` if each process has a separate one."""

    __slots__ = ("draws", "is_own", "seed", "state")
    type_name = "random generator"

    def __init__(self, seed: Value = MISSING) -> None:
        self.seed = seed
        self.state: Symbol | None = None
        self.draws = 0
        self.is_own = False

    def freeze(self, depth: int) -> object:
        """The seed and the number of draws."""
        return "random generator", freeze(self.seed, depth), self.draws

    def copy(self) -> Generator:
        """A generator in the same state."""
        made = Generator(self.seed)
        made.state, made.draws, made.is_own = self.state, self.draws, self.is_own
        return made

    def attribute(self, rank: Rank, name: str) -> Value:
        """Methods only."""
        return Method(self, name)

    def begin(self, rank: Rank, seed: Value) -> Generator:
        """Set the seed; one that another process has set otherwise makes all numbers own ones."""
        self.seed, self.draws = MISSING if seed is None else seed, 0
        others = rank.world.notes.setdefault(("seeds", rank.serial("seeds")), [])
        others.append(freeze(seed))
        self.is_own = any(one != others[-1] for one in others)
        if self.seed is not MISSING:
            self.state = same_draws.seeded(rank, rank.symbol("seeded", self.seed))
        return self

    def draw(self, rank: Rank, name: str, operands: tuple[Value, ...], kind: str = "") -> Symbol:
        """The next number."""
        if self.seed is MISSING:
            return rank.own("random", name, *operands, kind=kind)
        self.draws += 1
        tags = ("random",) if self.is_own else ()
        return rank.symbol("random", self.state, self.draws, name, *operands, kind=kind, own=tags)


def _of_module(rank: Rank) -> Generator:
    found: Generator = rank.state.setdefault("random", Generator())
    return found


def _seed(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    generator.begin(rank, arguments.get(0, "a"))


def _state(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    if generator.seed is MISSING:
        return rank.own("random", "getstate")
    return rank.symbol("random state", generator.seed, generator.draws)


def _make(rank: Rank, arguments: Arguments) -> Value:
    return Generator().begin(rank, arguments.get(0, "x"))


def _drawn(name: str, kind: str) -> Callable[..., Any]:
    def call(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
        return generator.draw(rank, name, tuple(arguments.every()), kind)

    return call


def _choice(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    items = arguments.get(0)
    if isinstance(items, (list, tuple, str)) and not items and not isinstance(items, GuessedList):
        raise fail("IndexError")
    if isinstance(items, (list, tuple)) and len(items) == 1 and not isinstance(items, GuessedList):
        generator.draw(rank, "choice", ())
        return items[0]
    return generator.draw(rank, "choice", (items,))


def _several(name: str) -> Callable[..., Any]:
    """Several items of a population, in an order that is not known."""

    def call(rank: Rank, generator: Generator, arguments: Arguments) -> Running:
        items = yield from elements(rank, arguments.get(0, "population"))
        count = arguments.keywords.get("k", arguments.get(1, "", None) if name == "sample" else 1)
        whole = generator.draw(rank, name, (items, count), "list")
        if not isinstance(count, int) or not 0 <= count <= MAX_DRAWN or isinstance(items, GuessedList):
            return whole
        if "counts" in arguments.keywords:
            return [rank.symbol("item", whole, position) for position in range(count)]
        if name == "sample" and count > len(items):
            raise fail("ValueError")
        return [rank.symbol("item", whole, position) for position in range(count)]

    return call


def _shuffle(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    items = arguments.get(0)
    if isinstance(items, list):
        whole = generator.draw(rank, "shuffle", (list(items),), "list")
        if len(items) > 1:
            items[:] = [rank.symbol("item", whole, position) for position in range(len(items))]
    return None


_METHODS: dict[str, Callable[..., Any]] = {
    "seed": _seed,
    "getstate": _state,
    "setstate": _seed,
    "choice": _choice,
    "choices": _several("choices"),
    "sample": _several("sample"),
    "shuffle": _shuffle,
    **{name: _drawn(name, "int") for name in ("randint", "randrange", "getrandbits")},
    **{
        name: _drawn(name, "float")
        for name in (
            "random uniform gauss normalvariate expovariate betavariate triangular lognormvariate vonmisesvariate "
            "gammavariate paretovariate weibullvariate"
        ).split()
    },
    "randbytes": _drawn("randbytes", "bytes"),
}


def _on_module(name: str) -> Handler:
    method = _METHODS[name]
    if name in ("choices", "sample"):

        def call_several(rank: Rank, arguments: Arguments) -> Running:
            return (yield from method(rank, _of_module(rank), arguments))

        return call_several
    return lambda rank, arguments: method(rank, _of_module(rank), arguments)


METHODS = {"random generator": _METHODS}
FUNCTIONS: dict[str, Any] = {
    **{f"random.{name}": _on_module(name) for name in _METHODS},
    "random.Random": _make,
    "random.SystemRandom": lambda rank, arguments: Generator(),
}
