"""Derivatives in JAX, Equinox, Flax and Haiku: transforms, their parameters and modes.

Facts from the pages of ``jax.grad``, ``jax.jvp``, ``jax.vjp``, ``jax.checkpoint`` and of ``jax.lax``'s control flow in
JAX's documentation; the wrappers of the other libraries take the same parameters.
"""

from __future__ import annotations

BY_ARGNUMS = frozenset(
    {
        "equinox.filter_grad", "equinox.filter_hessian", "equinox.filter_jacfwd", "equinox.filter_jacrev",
        "equinox.filter_value_and_grad", "flax.nnx.grad", "flax.nnx.value_and_grad", "haiku.grad",
        "haiku.value_and_grad", "jax.grad", "jax.hessian", "jax.jacfwd", "jax.jacrev", "jax.value_and_grad",
    }
)  # fmt: skip
"""Transforms that differentiate with respect to the arguments in ``argnums``, by default the first."""

BY_ALL_ARGUMENTS = frozenset({"jax.jvp"})
"""Transforms that differentiate with respect to every argument: each has a tangent."""

BY_PRIMALS = frozenset({"jax.linearize", "jax.vjp"})
"""Transforms that differentiate with respect to every argument that is not an integer; the first always counts."""

FORWARD_MODE = frozenset({"equinox.filter_jacfwd", "jax.jacfwd", "jax.jvp"})
"""Transforms that propagate tangents only (forward mode); all others propagate cotangents (reverse mode)."""

BOTH_MODES = frozenset({"equinox.filter_hessian", "jax.hessian", "jax.linearize"})
"""Transforms that linearise a function forward and may transpose it: they need both modes."""

REMATERIALISING = frozenset(
    {"equinox.filter_checkpoint", "flax.linen.remat", "flax.nnx.remat", "haiku.remat", "jax.checkpoint"}
)
"""Transforms that recompute a function's intermediate values in the backward pass."""

OPERANDS_OF_PARAMETERS = {
    "jax.lax.cond": ((1, ((0, 3), (1, 4), (2, 5))), (2, ((0, 3), (1, 4), (2, 5)))),
    "jax.lax.fori_loop": ((2, ((1, 3),)),),
    "jax.lax.map": ((0, ((0, 1),)),),
    "jax.lax.scan": ((0, ((0, 1), (1, 2))),),
}
"""For each function argument of a control-flow primitive: its position, and the operand of each parameter."""

DIFFERENTIABLE_FUNCTIONS = frozenset(
    {
        "abs", "absolute", "add", "amax", "amin", "array", "asarray", "atleast_1d", "average", "broadcast_to", "clip",
        "concatenate", "conj", "cos", "cosh", "cumsum", "dot", "einsum", "exp", "expand_dims", "flip", "hstack",
        "inner", "linalg.norm", "log", "log1p", "logaddexp", "matmul", "max", "maximum", "mean", "min", "minimum",
        "multiply", "negative", "outer", "pad", "power", "prod", "ravel", "reshape", "roll", "sin", "sinh", "sqrt",
        "square", "squeeze", "stack", "std", "subtract", "sum", "swapaxes", "tan", "tanh", "tensordot", "transpose",
        "true_divide", "var", "vdot", "vstack", "where",
    }
)  # fmt: skip
"""Functions of ``jax.numpy`` and methods of arrays whose derivative is not zero."""

DTYPE_SECOND = frozenset({"array", "asarray"})
"""Those whose second argument is a dtype."""
