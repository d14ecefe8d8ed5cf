"""Worlds of JAX programs of several processes."""

from __future__ import annotations

import pytest

from interpreter.running import explored, faults

HEADER = """\
import time
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial
from jax import lax
from jax.experimental import mesh_utils, multihost_utils
from jax.experimental.shard_map import shard_map
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

"""
ROW = HEADER.count("\n") + 1

RIGHT = {
    "a barrier that all reach": (
        "if jax.process_index() == 0:\n    print(1)\nmultihost_utils.sync_global_devices('a')\n"
    ),
    "a broadcast decides": (
        "due = multihost_utils.broadcast_one_to_all(time.time() > 3)\n"
        "if due:\n    multihost_utils.sync_global_devices('a')\n"
    ),
    "gathered numbers decide": (
        "found = multihost_utils.process_allgather(jax.process_index())\n"
        "if found.max() > 0:\n    multihost_utils.sync_global_devices('a')\n"
    ),
    "initialized once": "jax.distributed.initialize()\nprint(jax.devices())\n",
    "initialized again after the end": (
        "jax.distributed.initialize()\nprint(jax.devices())\njax.distributed.shutdown()\njax.distributed.initialize()\n"
    ),
    "a late initialization that is caught": (
        "x = jnp.ones(3)\ntry:\n    jax.distributed.initialize()\nexcept RuntimeError:\n    print(1)\n"
    ),
    "a compiled function of one process": (
        "f = jax.jit(lambda x: x + 1)\nif jax.process_index() == 0:\n    print(f(jnp.ones(3)))\n"
    ),
    "a map over own devices": (
        "f = jax.pmap(lambda x: lax.psum(x, 'i'), 'i', devices=jax.local_devices())\n"
        "if jax.process_index() == 0:\n    f(jnp.ones((1,)))\n"
    ),
    "an axis of vmap": (
        "f = jax.jit(jax.vmap(lambda x: lax.psum(x, 'i'), axis_name='i'))\n"
        "if jax.process_index() == 0:\n    f(jnp.ones((3,)))\n"
    ),
    "a mesh of own devices": (
        "mesh = Mesh(np.array(jax.local_devices()), ('x',))\n"
        "data = jax.device_put(jnp.ones(4), NamedSharding(mesh, P('x')))\n"
        "if jax.process_index() == 0:\n    jax.jit(lambda x: x.sum())(data)\n"
    ),
    "parts of a global array": (
        "mesh = jax.make_mesh((jax.device_count(),), ('x',))\n"
        "data = jax.make_array_from_process_local_data(NamedSharding(mesh, P('x')), np.ones(4))\n"
        "if jax.process_index() == 0:\n    print(data.shape, [s.data for s in data.addressable_shards])\n"
    ),
    "equal launches on both sides": (
        "f = jax.pmap(lambda x: lax.psum(x, 'i'), 'i')\n"
        "if jax.process_index() == 0:\n    print(f(jnp.ones((1,))))\nelse:\n    f(jnp.ones((1,)))\n"
    ),
    "equal keys": (
        "key = jax.random.key(0)\nif jax.random.uniform(key) > 0.5:\n    multihost_utils.sync_global_devices('a')\n"
    ),
    "own devices among all": (
        "mine = [d for d in jax.devices() if d.process_index == jax.process_index()]\n"
        "if mine:\n    multihost_utils.sync_global_devices('a')\n"
    ),
    "equal values": "multihost_utils.assert_equal({'a': 1, 'b': np.ones(3)})\n",
}

WRONG = {
    "a barrier of one process": (
        "if jax.process_index() == 0:\n    multihost_utils.sync_global_devices('a')\n",
        ("parted", 1),
    ),
    "names that differ": ("multihost_utils.sync_global_devices(f'a{jax.process_index()}')\n", ("name", 0)),
    "values that differ": ("multihost_utils.assert_equal(jax.process_index())\n", ("value", 0)),
    "initialized late": ("print(jax.devices())\njax.distributed.initialize()\n", ("initialize", 1)),
    "initialized after an array": ("x = jnp.ones(3)\njax.distributed.initialize()\n", ("initialize", 1)),
    "initialized twice": ("jax.distributed.initialize()\njax.distributed.initialize()\n", ("initialize", 1)),
    "equal process numbers": ("jax.distributed.initialize('a:1', None, 0)\n", ("initialize", 0)),
    "a launch of one process": (
        "f = jax.pmap(lambda x: lax.psum(x, 'i'), 'i')\nif jax.process_index() == 0:\n    f(jnp.ones((1,)))\n",
        ("parted", 2),
    ),
    "a launch inside of a compiled function": (
        "mesh = jax.make_mesh((jax.device_count(),), ('x',))\n"
        "inner = shard_map(lambda x: lax.psum(x, 'x'), mesh, in_specs=P('x'), out_specs=P())\n"
        "@partial(jax.jit, static_argnums=1)\ndef step(x, n):\n    return inner(x) * n\n"
        "if jax.process_index() == 0:\n    step(np.ones(4), 2)\n",
        ("parted", 6),
    ),
    "a launch on a global array": (
        "mesh = Mesh(mesh_utils.create_device_mesh((jax.device_count(),)), ('x',))\n"
        "data = jax.make_array_from_process_local_data(NamedSharding(mesh, P('x')), np.ones(4))\n"
        "loss = jax.jit(lambda x: x.sum())\n"
        "if jax.process_index() == 0:\n    loss(data)\n",
        ("parted", 4),
    ),
    "local data of different shapes": (
        "mesh = Mesh(np.array(jax.devices()), ('x',))\n"
        "own = multihost_utils.process_allgather(jax.process_index())[: jax.process_index() + 1]\n"
        "data = jax.make_array_from_process_local_data(NamedSharding(mesh, P('x')), own)\n"
        "print(jax.jit(lambda x: x.sum())(data))\n",
        ("count", 3),
    ),
    "a sum of a global array": (
        "mesh = Mesh(np.array(jax.devices()), ('x',))\n"
        "data = jax.make_array_from_process_local_data(NamedSharding(mesh, P('x')), np.ones(4))\n"
        "if jax.process_index() == 0:\n    print(jnp.sum(data))\n",
        ("parted", 3),
    ),
    "another order of launches": (
        "f = jax.pmap(lambda x: lax.psum(x, 'i'), 'i')\ng = jax.pmap(lambda x: lax.pmax(x, 'i'), 'i')\n"
        "x = jnp.ones((1,))\n"
        "if jax.process_index() == 0:\n    f(x)\n    g(x)\nelse:\n    g(x)\n    f(x)\n",
        ("launch", 4),
    ),
    "a method that is compiled": (
        "class Model:\n    def __init__(self):\n        self.scale = 2\n\n"
        "    @partial(jax.pmap, axis_name='i', static_broadcasted_argnums=0)\n"
        "    def step(self, x):\n        return lax.pmean(x * self.scale, 'i')\n\n"
        "if jax.process_index() == 0:\n    Model().step(jnp.ones((1,)))\n",
        ("parted", 9),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_no_fault(name: str) -> None:
    assert faults(HEADER + RIGHT[name], certainty=1) == set()


@pytest.mark.parametrize("name", WRONG)
def test_fault(name: str) -> None:
    text, (kind, row) = WRONG[name]
    assert faults(HEADER + text) == {(kind, ROW + row)}


def test_a_number_of_processes_that_follows_their_true_number_but_is_another_one() -> None:
    text = "import jax\nfrom mpi4py import MPI\njax.distributed.initialize('a:1', MPI.COMM_WORLD.size - 1)\n"
    (result,) = explored(text)
    assert {(found.fault.kind.value, found.fault.place.row) for found in result.found} == {("initialize", 3)}


def test_a_configuration_of_another_number_of_processes_is_no_fault() -> None:
    text = "import jax\njax.distributed.initialize('a:1', num_processes=3)\nprint(jax.process_index())\n"
    (result,) = explored(text)
    assert result.found == []
    assert result.sizes == {3}
