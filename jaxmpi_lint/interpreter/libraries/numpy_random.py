"""`numpy.random`: generators whose seed is known give values that are equal for equal seeds and equal draws before.

The state of a generator is a symbol of its seed and of all draws so far. What a draw takes from the generator depends
on how many numbers it makes, not on the data that it is applied to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, arrays, dtypes, same_draws
from jaxmpi_lint.interpreter.arrays import Array, Shape
from jaxmpi_lint.interpreter.libraries.numpy_operands import Operation, as_array, dtype_argument, shape_argument
from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


@dataclass(slots=True, eq=False)
class Generator(Modelled):
    """A generator of random numbers, with its bit generator and the sequence of its seed."""

    state: Symbol
    type_name = "numpy generator"

    def attribute(self, rank: Rank, name: str) -> Value:
        """The parts, the state, or a method."""
        if name in _PARTS:
            return self
        if name == "state":
            return rank.symbol(_STATE, self.state)
        return rank.symbol(name, self.state) if name in _OF_SEED else Method(self, name)

    def set_attribute(self, rank: Rank, name: str, value: Value) -> None:
        """``state = ...``, which may be that of a different generator."""
        if name == "state":
            self.state = _state_in(rank, value)

    def freeze(self, _depth: int) -> object:
        """The state."""
        return "random generator", self.state

    def copy(self) -> Generator:
        """A generator that goes on from the same state."""
        return Generator(self.state)


_PARTS = frozenset({"bit_generator", "_bit_generator", "seed_seq", "_seed_seq"})
_OF_SEED = frozenset({"entropy", "spawn_key", "pool", "n_children_spawned"})
_STATE = "random state of"


def seeded(rank: Rank, seed: Value) -> Symbol:
    """The state after seeding; without a seed each rank has its own."""
    if seed is None:
        return rank.own("random", "seed")
    return same_draws.seeded(rank, rank.symbol("random state", seed, own=("random",)))


def _global(rank: Rank) -> Generator:
    found = rank.state.get("numpy.random")
    if not isinstance(found, Generator):
        found = rank.state["numpy.random"] = Generator(seeded(rank, None))
    return found


def _seed(rank: Rank, arguments: Arguments) -> Value:
    _global(rank).state = seeded(rank, arguments.get(0, "seed"))


def _reseed(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    generator.state = seeded(rank, arguments.get(0, "seed"))


def _new(rank: Rank, arguments: Arguments) -> Value:
    """A generator; all that is given is part of its seed: numbers, ``spawn_key``, ``counter``, ``key``."""
    given = [value for value in arguments.every() if value is not None]
    if len(given) == 1:
        return given[0] if isinstance(given[0], Generator) else Generator(seeded(rank, given[0]))
    return Generator(seeded(rank, tuple(given) or None))


def _get_state(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    return rank.symbol(_STATE, generator.state)


def _set_state(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    generator.state = _state_in(rank, arguments.get(0, "state"))


def _state_in(rank: Rank, given: Value) -> Symbol:
    """The state that a value describes."""
    if isinstance(given, Symbol) and given.key[0] == ("str", _STATE) and isinstance(given.key[1], Symbol):
        return given.key[1]
    return rank.symbol("random state set", given)


def _step_on(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    """``advance``, in place."""
    generator.state = rank.symbol("random state later", generator.state, *arguments.every())
    return generator


def _jumped(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    return Generator(rank.symbol("random state jumped", generator.state, *arguments.every()))


# Distributions: the position of the argument ``size`` and the kind of a single value. Those of _SCALED take the same
# numbers from the generator whatever their other arguments are.
_DISTRIBUTIONS: dict[str, tuple[int, str]] = {
    "random": (0, "float"), "random_sample": (0, "float"), "sample": (0, "float"), "ranf": (0, "float"),
    "standard_normal": (0, "float"), "standard_exponential": (0, "float"), "uniform": (2, "float"),
    "normal": (2, "float"), "exponential": (1, "float"), "lognormal": (2, "float"), "laplace": (2, "float"),
    "gumbel": (2, "float"), "logistic": (2, "float"), "rayleigh": (1, "float"), "poisson": (1, "int"),
    "binomial": (2, "int"), "gamma": (2, "float"), "beta": (2, "float"), "randint": (2, "int"), "integers": (2, "int"),
    "random_integers": (2, "int"), "geometric": (1, "int"), "standard_gamma": (1, "float"), "chisquare": (1, "float"),
    "standard_t": (1, "float"), "standard_cauchy": (0, "float"), "weibull": (1, "float"), "pareto": (1, "float"),
    "triangular": (3, "float"), "vonmises": (2, "float"), "power": (1, "float"), "zipf": (1, "int"),
    "logseries": (1, "int"), "hypergeometric": (3, "int"), "negative_binomial": (2, "int"), "f": (2, "float"),
    "noncentral_chisquare": (2, "float"), "noncentral_f": (3, "float"), "wald": (2, "float"), "tomaxint": (0, "int"),
}  # fmt: skip
_OF_VECTORS = ("multivariate_normal", "dirichlet", "multinomial", "multivariate_hypergeometric")
_SCALED = frozenset({"uniform", "normal", "exponential", "lognormal", "laplace", "gumbel", "logistic", "rayleigh"})


def _advance(rank: Rank, generator: Generator, name: str, *taken: Value) -> Symbol:
    """The symbol of a draw; the generator goes on."""
    before = generator.state
    generator.state = rank.symbol("random state after", before, name, *taken)
    return before


def _draw(name: str) -> Operation:
    at, kind = _DISTRIBUTIONS[name]

    def call(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
        size = arguments.get(at, "size")
        others = [value for position, value in enumerate(arguments.values) if position != at]
        named = {word: value for word, value in arguments.keywords.items() if word not in ("size", "out")}
        shapes = _parameter_shapes(rank, [*others, *named.values()])
        shape = _drawn_shape(size, shapes)
        taken = (size, *map(str, shapes)) if name in _SCALED else (size, *others, named)
        before = _advance(rank, generator, name, *taken)
        dtype = dtype_argument(arguments, -1, "int64" if kind == "int" else "float64")
        symbol = rank.symbol("random", before, name, size, *others, named, kind=dtypes.kind_of(dtype))
        out = arguments.keywords.get("out")
        if isinstance(out, Array):
            array_changes.forget(rank, out, symbol)
            return out
        if size is None and shape == ():
            return symbol
        return arrays.unknown(symbol, dtype) if shape is None else arrays.of_symbol(symbol, shape, dtype)

    return call


def _parameter_shapes(rank: Rank, values: list[Value]) -> list[Shape | None]:
    """The shapes of the parameters of a distribution."""
    found: list[Shape | None] = []
    for value in values:
        array = as_array(rank, value) if isinstance(value, (list, tuple, Array)) else None
        found.append(() if array is None else array.shape)
    return found


def _drawn_shape(size: Value, shapes: list[Shape | None]) -> Shape | None:
    if size is not None:
        return shape_argument(size)
    shape: Shape = ()
    for one in shapes:
        if one is None or (one and shape and one != shape):
            return None
        shape = one or shape
    return shape


def _by_dimensions(name: str) -> Operation:
    """``rand`` and ``randn``: each argument is a length."""

    def call(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
        size = arguments.values or None
        return _draw(name)(rank, generator, Arguments((size,), {}))

    return call


def _count(rank: Rank, value: Value) -> Value:
    """The number of things that are chosen from or shuffled."""
    if isinstance(value, int):
        return value
    array = as_array(rank, value)
    if array is not None and array.shape:
        return array.shape[0]
    return rank.symbol("length", value, kind="int")


def _choice(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    chosen, size = arguments.get(0, "a"), arguments.get(1, "size")
    replace, weights = arguments.get(2, "replace", True), arguments.get(3, "p")
    before = _advance(rank, generator, "choice", _count(rank, chosen), size, replace, weights)
    array = as_array(rank, chosen)
    dtype = "int64" if isinstance(chosen, int) else (array.dtype if array is not None else "")
    kind = dtypes.kind_of(dtype) if array is not None and len(array.shape or (0, 0)) < 2 else ""
    symbol = rank.symbol("random", before, "choice", chosen, size, replace, weights, kind=kind)
    if size is None:
        return symbol
    shape = shape_argument(size) if array is not None and len(array.shape or (0,)) == 1 else None
    return arrays.unknown(symbol, dtype) if shape is None else arrays.of_symbol(symbol, shape, dtype)


def _permutation(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    given = arguments.get(0, "x")
    before = _advance(rank, generator, "permutation", _count(rank, given))
    symbol = rank.symbol("random", before, "permutation", given)
    array = as_array(rank, given)
    if isinstance(given, int):
        return arrays.of_symbol(symbol, (int(given),), "int64")
    if array is None or not array.shape:
        return arrays.unknown(symbol, "" if array is None else array.dtype)
    return arrays.of_symbol(symbol, array.shape, array.dtype)


def _shuffle(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    items = arguments.get(0, "x")
    before = _advance(rank, generator, "permutation", _count(rank, items))
    symbol = rank.symbol("random", before, "permutation", items)
    if isinstance(items, Array):
        array_changes.forget(rank, items, items.selection, symbol)
    elif isinstance(items, list):
        items[:] = [rank.symbol("item", symbol, at) for at in range(len(items))]
    else:
        raise Cut("an unknown list is shuffled")


def _several(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    """Distributions of vectors."""
    every = arguments.every()
    before = _advance(rank, generator, "vectors", *every)
    return arrays.unknown(rank.symbol("random", before, *every))


def _spawn(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    count = arguments.get(0, "n_children")
    before = _advance(rank, generator, "spawn", count)
    if not isinstance(count, int) or not 0 <= count <= math.isqrt(arrays.MAX_ELEMENTS) ** 2:
        return rank.symbol("random", before, "spawn", count, kind="list")
    return [Generator(rank.symbol("spawned", before, at)) for at in range(count)]


def _bytes(rank: Rank, generator: Generator, arguments: Arguments) -> Value:
    return rank.symbol("random", _advance(rank, generator, "bytes", *arguments.values), "bytes", *arguments.values)


def _generate(rank: Rank, sequence: Generator, arguments: Arguments) -> Value:
    """Numbers of a seed sequence: the same ones for each call."""
    count, dtype = arguments.get(0, "n_words"), dtype_argument(arguments, 1, "uint32")
    symbol = rank.symbol("random", sequence.state, "generate_state", count, dtype)
    shape = shape_argument(count)
    return arrays.unknown(symbol, dtype) if shape is None else arrays.of_symbol(symbol, shape, dtype)


_METHODS: dict[str, Operation] = {
    **{name: _draw(name) for name in _DISTRIBUTIONS},
    "rand": _by_dimensions("random"),
    "randn": _by_dimensions("standard_normal"),
    "choice": _choice,
    "permutation": _permutation,
    "permuted": _permutation,
    "shuffle": _shuffle,
    "bytes": _bytes,
    **dict.fromkeys(_OF_VECTORS, _several),
    "get_state": _get_state,
    "set_state": _set_state,
    "seed": _reseed,
    "advance": _step_on,
    "jumped": _jumped,
    "spawn": _spawn,
    "generate_state": _generate,
}


def _as_function(method: Operation) -> Operation:
    return lambda rank, arguments: method(rank, _global(rank), arguments)


FUNCTIONS: dict[str, Any] = {
    **{f"numpy.random.{name}": _as_function(method) for name, method in _METHODS.items()},
    "numpy.random.seed": _seed,
    **{
        f"numpy.random.{name}": _new
        for name in ("default_rng RandomState Generator PCG64 PCG64DXSM MT19937 Philox SFC64 SeedSequence".split())
    },
}
METHODS: dict[str, dict[str, Operation]] = {"numpy generator": _METHODS}
