"""Generators of random numbers and functions that seed them, in Python and numpy.

Facts from Python's documentation of ``random`` and from numpy's of ``numpy.random``.
"""

from __future__ import annotations

GENERATORS = ("numpy.random.default_rng", "numpy.random.RandomState", "random.Random")
"""Constructors of generators; generators with equal seeds draw equal numbers."""

GLOBAL_GENERATORS = ("random", "numpy.random")
"""Modules with a separate generator, which their functions use."""

SETTERS = {
    **dict.fromkeys(("random.seed", "random.setstate"), "random"),
    **dict.fromkeys(("numpy.random.seed", "numpy.random.set_state"), "numpy.random"),
}
"""Functions that set the seed or state of a module's generator."""

STATE_SETTERS = frozenset({"seed", "setstate", "set_state"})
"""Methods that set the seed or state of a generator."""

WITH_OWN_GENERATORS = ("cupy.", "jax.", "numpy.random.", "tensorflow.", "torch.")
"""Prefixes of libraries whose seeding functions affect only the libraries' separate generators."""

DRAWS_ORDER = ("permutation", "sample")
"""Functions and methods that draw elements without repetition."""

SPLITS = frozenset({"numpy.array_split", "numpy.split", "jax.numpy.array_split", "jax.numpy.split"})
"""Functions that divide an array into parts."""

SEEDED_BY = {
    **dict.fromkeys(GENERATORS, 0),
    **dict.fromkeys(("random.seed", "numpy.random.seed", "numpy.random.SeedSequence"), 0),
    **dict.fromkeys(("jax.random.PRNGKey", "jax.random.key"), 0),
    "jax.random.fold_in": 1,
}
"""Functions that make a generator or a key from a seed, which is the argument at this position."""
