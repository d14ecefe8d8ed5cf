"""Containers of Python and numpy: which calls create them, and what their methods return.

None of these methods communicates. Facts from the documentation of the builtins, ``collections`` and numpy.
"""

from __future__ import annotations

ARRAY = "ndarray"
MASK = "mask"
"""An array of truth values, such as the result of a comparison of arrays."""

ROW = "row"
"""An array of one dimension, whose elements are numbers."""

ARRAYS = frozenset({ARRAY, MASK, ROW})

CONSTRUCTORS = {
    "list": "list",
    "sorted": "list",
    "tuple": "tuple",
    "dict": "dict",
    "collections.OrderedDict": "dict",
    "collections.Counter": "defaultdict",
    "collections.defaultdict": "defaultdict",
    "collections.deque": "deque",
}
"""The kinds of the containers that calls create."""

KEEPS_CONTENT_ONLY = frozenset({"collections.Counter", "collections.defaultdict", "dict", "collections.OrderedDict"})
"""Constructors whose result is as long as the number of different keys, which the length of the argument bounds."""

FILE = "file"

FILES = frozenset({"open", "builtins.open", "io.open", "gzip.open", "bz2.open", "lzma.open", "codecs.open"})
"""Functions that open a file of this process."""

FILLED_ON_ACCESS = frozenset({"defaultdict"})
"""Kinds to which access to a missing key adds this key."""

REDUCING = frozenset("all any argmax argmin dot item max mean min prod ptp std sum trace var".split())
"""Methods of arrays that return one value."""

SHAPE_KEEPING = frozenset("astype clip conj copy cumprod cumsum round".split())
"""Methods of arrays that return an array of the same shape."""

CHANGING = frozenset("add append appendleft clear discard extend insert pop popleft remove setdefault update".split())
"""Methods of lists, sets, dictionaries and deques that change them."""

VIEWS = frozenset({"items", "keys", "values"})
"""Methods of dictionaries that return their keys or values themselves."""

TAKING = frozenset("count get index pop popitem popleft".split())
"""Methods of containers that return an element, or a number."""
