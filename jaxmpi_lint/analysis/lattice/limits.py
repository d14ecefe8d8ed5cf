"""Limits of the analysis: every bound on calls, callers, definitions, rounds and states, in one place.

Most queries follow calls or definitions of names; recursion and fan-out would make them infinite or exponential. Each
bound has a name for what it counts. Beyond a bound an analysis gives the answer that proves nothing; a larger value
costs time. The bounds are separate because the cost of one unit differs: entering a call in `interprocedural_paths`
multiplies states, following a name to its definition does not.

Two bounds lie in layers below: the size of a function that is analysed at all (``ir.MAX_BLOCKS``) and the recursion of
the parser (``frontend.parse``).
"""

from __future__ import annotations

# --- depth of calls entered ---

PATH_CALLS = 6
"""Depth of calls entered when the paths of two sides are compared: the states of callees multiply."""

PATH_FRAMES = 100
"""Called functions of one comparison after which no further ones are entered."""

CERTAIN_COLLECTIVE_CALLS = 4
"""Depth of calls entered in the search for the next collective that must be reached."""

REMAINING_OPERATION_CALLS = 4
"""Depth of calls entered, and of callers returned to, in the search for the remaining communication of processes."""

LAZY_INITIALISATION_CALLS = 6
"""Depth of calls entered to determine whether a function communicates only in its first call."""

LONE_VALUE_CALLS = 2
"""Depth of calls entered to find uses of a value that only some ranks have."""

LONE_VALUE_CALLERS = 6
"""Depth of callers that are searched for a test that selects ranks."""

CONTEXT_CALLS = 3
"""Depth of calls entered with the arguments of one call: each adds specialisations of its callees."""

NESTED_OBJECTS = 3
"""Levels of objects in objects, and of functions that return them, whose communicators are distinguished."""

FAILING_CALLS = 3
"""Depth of calls entered to find the exceptions that a call may raise."""

DEFAULT_COMMUNICATOR_CALLS = 6
"""Depth of calls entered in the search for the first use of mpi4jax's default communicator."""

BATCHED_CALLS = 4
"""Depth of calls entered from a function that ``vmap`` maps."""

DIFFERENTIATED_CALLS = 5
"""Depth of calls entered from a function that is differentiated."""

CARRIED_VALUE_CALLS = 4
"""Depth of calls entered to determine whether a result depends on the parameters."""

JOINT_STEP_CALLS = 4
"""Depth of calls entered to determine whether a call waits for all JAX processes."""

FILE_CALLS = 3
"""Depth of calls entered to find uses of files."""

LISTING_CALLS = 8
"""Depth of calls entered to find the origin of a listing's order."""

UNEVEN_LOOP_CALLS = 3
"""Depth of calls entered with local data, to find the loops over it."""

# --- depth of callers visited ---

SPMD_CALLERS = 3
"""Depth of callers visited to determine whether all ranks run a function."""

ROLE_CALLERS = 4
"""Depth of callers visited to determine whether only some ranks run a function."""

BACKEND_START_CALLERS = 4
"""Depth of callers visited to find a start of the backend before the processes are connected."""

OPTION_CALLERS = 3
"""Depth of callers visited to find a test of the rank around the place where an option is set."""

LAUNCHER_CALLERS = 4
"""Depth of callers visited to find the programs that run a function."""

TRACED_SCOPES = 6
"""Enclosing functions and callers from which a function inherits names that hold tracers."""

# --- length of chains of definitions ---

CONSTANT_DEFINITIONS = 6
"""Definitions followed to the constants that decide a test."""

UNIFORM_TEST_DEFINITIONS = 6
"""Definitions followed to job-wide options and variables."""

RANK_VALUE_DEFINITIONS = 6
"""Definitions followed to compute the value of an expression on one rank."""

SET_ORDER_DEFINITIONS = 5
"""Definitions followed to the set that an order comes from."""

MANY_PROCESSES = 4
"""Numbers of processes that a called function may ask for as the least with which it works."""

PASSED_CALLS = 6
"""Calls of a function beyond which what they pass is not followed to its elements."""

PASSED_ELEMENTS = 3
"""Calls and definitions followed from a parameter to the elements of what is passed for it."""

SHARE_DEFINITIONS = 12
"""Definitions and calls followed to the place where data is divided: data pipelines have many stages."""

LOCAL_LENGTH_DEFINITIONS = 6
"""Definitions and calls followed to the origin of an array length that differs."""

SEED_DEFINITIONS = 3
"""Definitions followed from a seed back to its origin."""

HASH_DEFINITIONS = 5
"""Definitions followed to a call of ``hash`` or ``id``."""

GLOBAL_ARRAY_DEFINITIONS = 4
"""Definitions and calls followed to the origin of a global array."""

ARGUMENT_CLASSES = 4
"""Definitions, fields and callers followed to the place where an argument is constructed."""

DEVICE_SET_DEFINITIONS = 5
"""Definitions followed to the devices of a mesh or a sharding."""

SHARDING_DEFINITIONS = 4
"""Definitions and calls followed to the origin of a sharded array."""

PATH_DEFINITIONS = 8
"""Definitions followed, and path operations resolved, to determine the path of a file."""

SHARED_VALUE_DEFINITIONS = 16
"""Definitions and calls followed to determine whether a path is the same on all ranks."""

# --- iterations until a fixpoint ---

DATA_FLOW_VISITS = 12
"""Visits of one block after which the data flow is no longer refined."""

DTYPE_VISITS = 4
"""Visits of one block after which the dtypes of arrays are no longer refined."""

CERTAIN_COLLECTIVE_ROUNDS = 20
"""Iterations over the blocks of a function until the outcomes of its paths are stable."""

# --- sizes beyond which nothing is compared ---

TRACKED_TESTS = 6
"""Tests whose outcomes are tracked on a path; each of them may double the states of a comparison."""

LANGUAGE_STATES = 256
"""Pairs of state sets after which a comparison is abandoned, silently."""

NESTED_DATA_FLOWS = 200
"""Nested data flows in progress, beyond which the result of a further one is unknown."""

LOCKSTEP_RUNS = 200
"""Combinations of outcomes that are tried for one pair of sides."""

LOCKSTEP_MOVES = 400
"""Blocks that a side visits in one combination."""

CONTEXTS = 1000
"""Specialisations of functions for their arguments, after which no further ones are analysed."""

CONTEXTS_BY_CONSTANTS = 200
"""The same bound for specialisations that differ in constants alone."""

ARGUMENT_CALLS = 40
"""Calls of functions with one name beyond which the classes of their arguments are not determined."""

CONTEXTS_FOR_RESULTS = 500
"""The same bound for specialisations that determine a result from arguments that differ."""

RESULT_BLOCKS = 60
"""Size of a function from which on its result is not determined from such arguments."""

CONTEXTS_OF_FUNCTION = 24
"""The same bound for one function, so that frequently called functions leave some for the others."""

DERIVED_CLASSES = 4
"""The same bound for an inherited method, in objects of the classes that override others which it calls."""
