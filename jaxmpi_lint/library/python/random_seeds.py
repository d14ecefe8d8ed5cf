"""Generators of random numbers and what gives them their seeds, in Python and numpy.

Facts from Python's documentation of ``random`` and from numpy's of ``numpy.random``.
"""

from __future__ import annotations

GENERATORS = ("numpy.random.default_rng", "numpy.random.RandomState", "random.Random")
"""What makes a generator; with a seed, all that are made with the same one draw the same."""

GLOBAL_GENERATORS = ("random", "numpy.random")
"""Modules with a generator of their own, which their functions use."""

SETTERS = {
    **dict.fromkeys(("random.seed", "random.setstate"), "random"),
    **dict.fromkeys(("numpy.random.seed", "numpy.random.set_state"), "numpy.random"),
}
"""Functions that give the generator of a module a seed or a state."""

STATE_SETTERS = frozenset({"seed", "setstate", "set_state"})
"""Methods of generators that do the same."""

WITH_OWN_GENERATORS = ("cupy.", "jax.", "numpy.random.", "tensorflow.", "torch.")
"""Prefixes of libraries whose functions for seeds concern their own generators."""
