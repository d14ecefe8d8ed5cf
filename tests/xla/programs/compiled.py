"""Compiles small programs for four CPU devices and prints their texts: {name: {hlo, stablehlo, located}}."""

import inspect
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map

UNCHECKED = {"check_vma" if "check_vma" in inspect.signature(shard_map).parameters else "check_rep": False}
DEVICES = np.array(jax.devices())
LINE, SQUARE = Mesh(DEVICES, ("a",)), Mesh(DEVICES.reshape(2, 2), ("a", "b"))
TEXTS = {}


def keep(name, lowered):
    modules = lowered.compile().runtime_executable().hlo_modules()
    TEXTS[name] = {
        "hlo": "\n".join(module.to_string() for module in modules),
        "stablehlo": lowered.as_text(),
        "located": lowered.as_text(debug_info=True),
    }


def on_line(name, function, argument):
    keep(name, jax.jit(shard_map(function, mesh=LINE, in_specs=P("a"), out_specs=P("a"), **UNCHECKED)).lower(argument))


def all_kinds(x):
    x = lax.psum(x, "b")  # psum
    x = lax.all_gather(x, "a", axis=0, tiled=True)  # all_gather
    x = lax.psum_scatter(x, "a", scatter_dimension=0, tiled=True)  # psum_scatter
    x = lax.ppermute(x, "a", [(0, 1), (1, 0)])  # ppermute
    x = lax.all_to_all(x, "a", split_axis=1, concat_axis=0, tiled=True)  # all_to_all

    def body(carry):
        count, y = carry
        return count + 1, lax.pmax(y, "a") * 0.5  # pmax in while

    def unfinished(carry):
        return lax.pmin(carry[1].sum(), ("a", "b")) < 9.0  # pmin in condition

    _, x = lax.while_loop(unfinished, body, (jnp.int32(0), x))
    return lax.cond(x.sum() > 3, lambda y: lax.psum(y, "a"), lambda y: y * 2, x)  # psum in branch


def turns(count):
    return lambda x: lax.fori_loop(0, count, lambda _, y: lax.psum(y, "a") * 0.1, x)


x = jnp.arange(8, dtype=jnp.float32)
matrix = jnp.arange(64, dtype=jnp.float32).reshape(8, 8)
spread = jax.device_put(matrix, NamedSharding(SQUARE, P("a", "b")))

keep(
    "all_kinds",
    jax.jit(shard_map(all_kinds, mesh=SQUARE, in_specs=P("a", "b"), out_specs=P("a", "b"), **UNCHECKED)).lower(matrix),
)
keep("automatic", jax.jit(lambda x, w: (x @ w).mean()).lower(spread, spread))  # automatic
keep("eager_sum", jax.jit(jnp.sum).lower(spread))
keep("none", jax.jit(lambda x: x * 2).lower(spread))
on_line("psum", lambda x: lax.psum(x, "a"), x)
on_line("pmax", lambda x: lax.pmax(x, "a"), x)
on_line("psum_of_int", lambda x: lax.psum(x, "a"), x.astype(jnp.int32))
on_line("psum_of_more", lambda x: lax.psum(x, "a"), jnp.arange(16, dtype=jnp.float32))
on_line("psum_in_pairs", lambda x: lax.psum(x, "a", axis_index_groups=[[0, 1], [2, 3]]), x)
on_line("psum_then_pmax", lambda x: lax.pmax(jnp.cos(lax.psum(jnp.sin(x), "a")), "a"), x)
on_line("pmax_then_psum", lambda x: lax.psum(jnp.cos(lax.pmax(jnp.sin(x), "a")), "a"), x)
on_line("five_turns", turns(5), x)
on_line("six_turns", turns(6), x)
on_line("times_two", lambda x: lax.psum(x * 2.0, "a"), x)
on_line("times_three", lambda x: lax.psum(x * 3.0, "a"), x)  # times three
on_line("times_two_elsewhere", lambda x: lax.psum(x * 2.0, "a"), x)
on_line("squared", lambda x: lax.psum(x * x, "a"), x)
on_line("printed", lambda x: (jax.debug.print("{}", x), lax.psum(x * 2.0, "a"))[1], x)

print(json.dumps(TEXTS))
