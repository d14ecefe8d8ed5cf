"""How deep the analysis looks: every bound on calls, callers, definitions, rounds and states, in one place.

Most questions are asked over calls or over definitions of names, and recursion and fan-out would make them endless or
exponential. Each bound has a name for what it counts. Beyond a bound an analysis gives the answer that proves nothing,
and a larger value costs time. The bounds are separate because the work below one unit differs: entering a call in
`interprocedural_paths` multiplies states, following a name to its definition does not.

Two bounds lie in layers below: the size of a function that is analysed at all (``ir.MAX_BLOCKS``) and the recursion of
the parser (``frontend.parse``).
"""

from __future__ import annotations

# --- calls entered, one inside the other ---

PATH_CALLS = 6
"""Calls entered, one inside the other, where the paths of two sides are compared: the states of callees multiply."""

PATH_FRAMES = 100
"""Called functions of one comparison after which further ones are not looked into."""

CERTAIN_COLLECTIVE_CALLS = 4
"""Calls entered in the search for the next collective that is certain."""

REMAINING_OPERATION_CALLS = 4
"""Calls entered, and callers returned to, in the search for what the other processes may still communicate."""

LAZY_INITIALISATION_CALLS = 6
"""Calls entered to see whether a function communicates only when it is first called."""

CONTEXT_CALLS = 3
"""Calls entered with the arguments of one call: each gives further runs of the functions that it calls."""

DEFAULT_COMMUNICATOR_CALLS = 6
"""Calls entered in the search for the first use of mpi4jax's default communicator."""

BATCHED_CALLS = 4
"""Calls entered from a function that ``vmap`` maps."""

DIFFERENTIATED_CALLS = 5
"""Calls entered from a function that is differentiated."""

CARRIED_VALUE_CALLS = 4
"""Calls entered to see whether a result depends on the parameters."""

JOINT_STEP_CALLS = 4
"""Calls entered to see whether a call waits for all JAX processes."""

LISTING_CALLS = 8
"""Calls entered to see where the order of a listing comes from."""

UNEVEN_LOOP_CALLS = 3
"""Calls entered with a share of the data, to find the loops over it."""

# --- callers looked at, one above the other ---

SPMD_CALLERS = 3
"""Callers looked at, one above the other, to see whether all ranks run a function."""

ROLE_CALLERS = 4
"""Callers looked at to see whether only some ranks run a function."""

BACKEND_START_CALLERS = 4
"""Callers looked at for a start of the backend before the processes are connected."""

OPTION_CALLERS = 3
"""Callers looked at for a test on the rank around the place where an option is set."""

LAUNCHER_CALLERS = 4
"""Callers looked at to find the programs that run a function."""

TRACED_SCOPES = 6
"""Enclosing functions and callers from which a function inherits names that hold tracers."""

# --- definitions followed, one after the other ---

CONSTANT_DEFINITIONS = 6
"""Definitions followed to the constants that decide a test."""

UNIFORM_TEST_DEFINITIONS = 6
"""Definitions followed to the options and variables that a job is given once."""

RANK_VALUE_DEFINITIONS = 6
"""Definitions followed to compute what an expression is on one rank."""

SET_ORDER_DEFINITIONS = 5
"""Definitions followed to the set that an order comes from."""

SHARE_DEFINITIONS = 12
"""Definitions and calls followed to the place where data are divided: data pipelines have many stages."""

LOCAL_LENGTH_DEFINITIONS = 6
"""Definitions and calls followed to what makes the length of an array differ."""

SEED_DEFINITIONS = 3
"""Definitions followed from a seed back to what it is made of."""

HASH_DEFINITIONS = 5
"""Definitions followed to a call of ``hash`` or ``id``."""

GLOBAL_ARRAY_DEFINITIONS = 4
"""Definitions and calls followed to what makes an array global."""

DEVICE_SET_DEFINITIONS = 5
"""Definitions followed to the devices of a mesh or a sharding."""

SHARDING_DEFINITIONS = 4
"""Definitions and calls followed to what makes an array sharded."""

PATH_DEFINITIONS = 8
"""Definitions followed, and operations on paths taken apart, to spell the path of a file."""

# --- rounds until a fixed point ---

DATA_FLOW_VISITS = 12
"""Visits of one block after which the data flow stops to refine it."""

DTYPE_VISITS = 4
"""Visits of one block after which the dtypes of arrays are taken as they are."""

CERTAIN_COLLECTIVE_ROUNDS = 20
"""Rounds over the blocks of a function in which the outcomes of its paths settle."""

# --- sizes beyond which nothing is compared ---

TRACKED_TESTS = 6
"""Tests whose outcomes are remembered on a path; each of them may double the states of a comparison."""

LANGUAGE_STATES = 256
"""Pairs of state sets after which a comparison gives up, silently."""

NESTED_DATA_FLOWS = 200
"""Data flows that wait for each other, beyond which what a further one says is unknown."""

PAIRED_BLOCKS = 300
"""Size of a function from which on pairs are not compared."""

LOCKSTEP_RUNS = 200
"""Combinations of outcomes that are tried for one pair of sides."""

LOCKSTEP_MOVES = 400
"""Blocks that a side runs through in one of them."""

CONTEXTS = 1000
"""Runs of functions with arguments of their own after which further ones are not looked at."""

CONTEXTS_BY_CONSTANTS = 200
"""The same of runs that differ by constants alone."""

CONTEXTS_OF_FUNCTION = 24
"""The same of one function, so that those that are called everywhere leave some for the others."""
