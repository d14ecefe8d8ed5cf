"""Python values with equal hashes on all processes, and values whose hashes differ.

Python salts the hashes of ``str`` and ``bytes`` for each process unless ``PYTHONHASHSEED`` is set (Python's
documentation, ``object.__hash__``); those of numbers depend on their value alone.
"""

from __future__ import annotations

MAKES_NUMBERS = frozenset({"int", "float", "len", "round", "abs", "ord", "complex", "bool", "sum"})
"""Builtins that return numbers."""

MAKES_TEXT = frozenset({"str", "repr", "format", "chr", "bytes", "hex", "ascii"})
"""Builtins that return strings or bytes."""

TEXT_METHODS = frozenset({"format", "join", "encode", "decode", "lower", "upper", "strip", "tobytes", "hexdigest"})
"""Methods that return strings or bytes."""

MAKES_COLLECTIONS = frozenset({"set", "frozenset", "list", "tuple", "sorted", "reversed", "iter", "dict"})
"""Builtins whose result holds the elements of their argument."""

COMBINES_FIRST = frozenset(
    {"itertools.combinations", "itertools.combinations_with_replacement", "itertools.permutations", "itertools.islice"}
)
"""Functions whose result holds elements of their first argument, or tuples of them."""

COMBINES_ALL = frozenset({"itertools.product", "itertools.chain", "itertools.zip_longest", "zip"})
"""Functions whose result holds elements of all their positional arguments, or tuples of them."""

SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
"""Methods of sets that return sets of their elements."""

TEXT_LIST_METHODS = frozenset({"split", "splitlines", "rsplit"})
"""Methods of strings that return lists of strings."""

TEXT_LISTS = frozenset({"sys.argv"})
"""Lists of strings in modules of Python."""

HASHES_OF_TYPES = {"int": "stable", "float": "stable", "bool": "stable", "str": "salted", "bytes": "salted"}
"""How the hashes of objects of a type compare between processes."""

HOST_TEXTS = frozenset({"socket.gethostname", "platform.node", "mpi4py.MPI.Get_processor_name", "os.getcwd"})
"""Functions that return a string that depends on the host or the process."""
