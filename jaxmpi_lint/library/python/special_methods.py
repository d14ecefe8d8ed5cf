"""Special methods: which expressions and builtins call them, with no call of that name in the text.

Facts from Python's documentation of the data model and of ``contextlib``.
"""

from __future__ import annotations

ENTERS = "__enter__"
EXITS = "__exit__"

CONTEXT_MANAGER = "contextlib.contextmanager"
"""Makes a context manager of a generator function: entered up to its ``yield``, left from there on."""

BUILTINS = {
    "abs": ("__abs__",), "bool": ("__bool__", "__len__"), "complex": ("__complex__",), "float": ("__float__",),
    "format": ("__format__", "__str__", "__repr__"), "hash": ("__hash__",), "int": ("__int__", "__index__"),
    "iter": ("__iter__",), "len": ("__len__",), "next": ("__next__",), "print": ("__str__", "__repr__"),
    "repr": ("__repr__",), "reversed": ("__reversed__",), "round": ("__round__",), "str": ("__str__", "__repr__"),
}  # fmt: skip
"""Builtins that call a special method of their argument: the first one that its class has."""

TRUTH = BUILTINS["bool"]
"""The methods that tell the truth value of an object."""

TEXT = BUILTINS["format"]
"""The methods that give the text of an object in a formatted string."""

OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
"""The names of binary operators, as in ``__add__``, ``__radd__`` and ``__iadd__``."""

COMPARISONS = {
    "==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__",
}  # fmt: skip
"""The methods of the left operand that compare it."""

UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}

_ONLY_CALLED = frozenset(BUILTINS) - {"bool", "format", "len", "print", "repr", "str"}
_TESTS = ("if ", "while ", "not ", " and ", " or ", "assert", "bool(")
_TEXTS = ("print(", "str(", "format", 'f"', "f'", "repr(")

MARKS: dict[str, tuple[str, ...]] = {
    ENTERS: ("with ",), EXITS: ("with ",),
    "__bool__": _TESTS, "__len__": (*_TESTS, "len("),
    "__str__": _TEXTS, "__repr__": _TEXTS, "__format__": _TEXTS,
    "__contains__": (" in ",), "__getitem__": ("[",), "__setitem__": ("[",), "__delitem__": ("[",),
    **{f"__{prefix}{name}__": (sign,) for sign, name in OPERATORS.items() for prefix in ("", "r", "i")},
    **{method: (sign,) for sign, method in (*COMPARISONS.items(), *UNARY.items())},
    **{f"__{name}__": (f"{name}(",) for name in sorted(_ONLY_CALLED)},
    "__index__": ("int(",),
}  # fmt: skip
"""The special methods, and for each some texts of which one is in every function that calls it."""
