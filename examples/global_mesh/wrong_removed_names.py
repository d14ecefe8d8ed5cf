"""A matrix product on a mesh, with the names that JAX had before ``jax.jit`` replaced ``pjit``.

``jax.experimental.maps`` is removed, ``pjit`` has no ``in_axis_resources`` any more, and a sharding takes the mesh.

    python examples/launch.py 2 examples/global_mesh/wrong_removed_names.py 60
"""

import jax
import jax.numpy as jnp
import numpy as np

# later: removed names (no separate code yet)
from jax.experimental.maps import Mesh
from jax.experimental.pjit import PartitionSpec as P
from jax.experimental.pjit import pjit

ORDER = 64


def product(left: jax.Array, right: jax.Array) -> jax.Array:
    """Rows of the left matrix are sharded over the mesh."""
    return left @ right


def main() -> None:
    """Multiply."""
    with Mesh(np.array(jax.devices()), ("data",)):
        multiply = pjit(product, in_axis_resources=(P("data", None), P(None, None)), out_axis_resources=P("data", None))
        result = multiply(jnp.eye(ORDER), jnp.ones((ORDER, ORDER)))
    print(float(result.sum()))


if __name__ == "__main__":
    main()
