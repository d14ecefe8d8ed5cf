"""Functions that create sequences from sequences: which keep the length or the order, and which divide.

Facts from Python's documentation of the builtins and ``itertools``, and from those of numpy, tqdm and ``tf.data``.
"""

from __future__ import annotations

ARANGE = "numpy.arange"
"""Creates an array whose length its arguments determine."""

ARRAY_SPLIT = "numpy.array_split"
"""Divides an array into a list of parts, which may differ in length by one."""

CHAIN = "itertools.chain"
"""Iterates over its arguments one after the other."""

CYCLE = "itertools.cycle"
"""Iterates over its argument endlessly."""

ISLICE = "itertools.islice"
"""Iterates over a part of its argument."""

ITERATES_ARGUMENTS = frozenset({"enumerate", "iter", "list", "map", "reversed", "sorted", "tuple"})
"""Builtins that iterate over their arguments and return elements."""

RANGES = frozenset({"range", "builtins.range", "numpy.arange", "jax.numpy.arange"})
"""Functions that create ranges, by whose arguments programs divide work between ranks."""

DIVIDES = frozenset({"numpy.array_split", "numpy.split", "jax.numpy.array_split", "jax.numpy.split"})
"""Functions that divide an array into a list of parts."""

KEEPS_LENGTH_OF_FIRST = frozenset(
    {
        "enumerate", "iter", "list", "numpy.array", "numpy.asarray", "numpy.random.permutation", "reversed", "sorted",
        "tuple", "tqdm.tqdm", "tqdm.auto.tqdm",
    }
)  # fmt: skip
"""Functions whose result is as long as their first argument."""

KEEPS_LENGTH_OF_SECOND = frozenset({"filter", "map", "jax.random.permutation"})
"""Functions whose result follows the length of their second argument."""

LENGTH_KEEPING_METHODS = frozenset(
    {
        "as_numpy_iterator", "astype", "batch", "cache", "copy", "filter", "items", "keys", "map", "prefetch",
        "shuffle", "values", "with_options",
    }
)  # fmt: skip
"""Methods of arrays and of data pipelines whose result follows the length of the object."""

FILLING_CALLS = frozenset({"add", "append", "appendleft", "dict", "insert", "setdefault", "update"})
"""Calls whose arguments become elements of a container: its methods, and its constructor from keywords."""

RESIZING_METHODS = frozenset({"append", "appendleft", "clear", "extend", "insert", "pop", "popleft", "remove"})
"""Methods that change the length of the object."""

CHANGES_LENGTH = frozenset({"repeat", "pad", "tile", "resize", "cycle"})
"""Functions and methods, by their last name, that fill or repeat what they get."""

KEEPS_ORDER_OF_FIRST = frozenset(
    {"list", "tuple", "enumerate", "reversed", "iter", "filter", "dict.fromkeys", "fnmatch.filter"}
)
"""Functions whose result has the order of their first argument."""

KEEPS_ORDER_OF_LATER = frozenset({"map", "filter", "fnmatch.filter", "zip"})
"""Functions whose result has the order of an argument after the first."""

EXHAUSTING = frozenset({"dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"})
"""Builtins that take all items of their argument at once."""

PROGRESS_BARS = frozenset(
    {
        "tqdm.tqdm", "tqdm.std.tqdm", "tqdm.auto.tqdm", "tqdm.autonotebook.tqdm", "tqdm.notebook.tqdm",
        "tqdm.rich.tqdm", "tqdm.asyncio.tqdm", "tqdm.tqdm_notebook", "rich.progress.track",
        "alive_progress.alive_it", "progressbar.progressbar", "fastprogress.progress_bar", "fastprogress.master_bar",
    }
)  # fmt: skip
"""Functions that give the items of their first argument and show how many were taken."""

PROGRESS_RANGES = frozenset({"tqdm.trange", "tqdm.auto.trange", "tqdm.notebook.trange", "tqdm.std.trange"})
"""The same around a range, whose arguments they have."""

ITEM_BY_ITEM = frozenset({"enumerate", "iter", "tqdm"}) | PROGRESS_BARS
"""Functions that take an item of their first argument when one of theirs is taken."""
