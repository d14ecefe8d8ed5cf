"""Programs of several JAX processes: mistakes with what must be said of them, and the same without the mistake.

A line that ends with `# 0`, `# 1`, `# both` is where the report must place that process; `# begins`: where it joins the
job.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ARRAY = "x = spread(np.arange(4.0) + rank)\n"
TWO = "add, most = mapped(lambda x: jax.lax.psum(3 * x, 'x')), mapped(lambda x: jax.lax.pmax(5 * x, 'x'))\n"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A program that is wrong, and its twin that is not."""

    name: str
    code: str
    text: str
    twin: tuple[str, str] = ("", "")  # what is replaced by what
    quick: bool = False  # run by default
    statuses: tuple[int, int] = (66, 66)
    other: Mapping[str, str] = field(default_factory=dict)  # environment of process 1
    options: Mapping[str, object] = field(default_factory=dict)
    also: str = ""  # a code that explains it
    mark: str = "both"  # where processes are reported that have no lines of their own


MISTAKES = (
    Mistake("a1-shapes-before-a-local-sum", "JS502",
        "x = spread(np.ones(4 + 4 * rank))\nprint(jax.jit(lambda x: x.sum())(x))  # both\n",
        ("4 * rank", "4"), statuses=(0, 0)),
    Mistake("a2-gathered-shapes-differ", "JS501",
        "x = spread(np.ones(2 + 2 * rank))\n"
        "print(mapped(lambda x: jax.lax.all_gather(x, 'x'))(x).shape)  # both\n",
        ("2 * rank", "2")),
    Mistake("a3-summed-shapes-differ", "JS501",
        "x = spread(np.ones(2 + 2 * rank))\nprint(mapped(lambda x: jax.lax.psum(x, 'x'))(x).shape)  # both\n",
        ("2 * rank", "2")),
    Mistake("a4-unequal-local-data", "JS505",
        "x = jax.make_array_from_process_local_data(split, np.ones(4 + 4 * rank))  # both\n"
        "print(x.addressable_data(0).shape[1:])\n",
        ("4 * rank", "4"), quick=True, statuses=(0, 0)),
    Mistake("a5-copies-that-differ", "JS506",
        "x = jax.make_array_from_process_local_data(whole, np.full(4, 1.0 + rank))  # both\nprint(x.shape)\n",
        ("1.0 + rank", "1.0"), statuses=(0, 0)),
    Mistake("b-leaves-the-loop-early", "JS503",
        ARRAY + "total = jax.jit(lambda x: x.sum())\n"
        "for step in range(4 - rank):\n"
        "    last = total(x)  # both\n"
        "print(float(last))\n",
        ("4 - rank", "4"), quick=True),
    Mistake("c1-order-of-a-set", "JS501",
        "arrays = {name: spread(np.ones(2 + place)) for place, name in enumerate('abcdefgh')}\n"
        "add = mapped(lambda x: jax.lax.psum(x, 'x'))\n"
        "for name in {*arrays}:\n"
        "    arrays[name] = add(arrays[name])  # both\n"
        "print(sorted(float(one[0]) for one in arrays.values()))\n",
        ("{*arrays}", "sorted(arrays)")),
    Mistake("c1-order-of-a-set-of-equal-shapes", "JS507",
        "arrays = {name: spread(np.full(2, float(place))) for place, name in enumerate('abcdefgh')}\n"
        "add = mapped(lambda x: jax.lax.psum(x, 'x'))\n"
        "for name in {*arrays}:\n"
        "    arrays[name] = add(arrays[name])  # both\n"
        "print(sorted(float(one[0]) for one in arrays.values()))\n",
        ("{*arrays}", "sorted(arrays)"), quick=True),
    Mistake("c2-opposite-order", "JS501",
        ARRAY + TWO + "if rank == 0:\n"
        "    a = add(x)  # 0\n"
        "    b = most(x)\n"
        "else:\n"
        "    b = most(x)  # 1\n"
        "    a = add(x)\n"
        "print(a, b)\n",
        ("    b = most(x)  # 1\n    a = add(x)", "    a = add(x)\n    b = most(x)"), quick=True),
    Mistake("c2-one-function-for-another-later", "JS501",
        ARRAY + TWO + "for step in range(20):\n"
        "    f = most if step == 15 and rank else add\n"
        "    y = f(x)  # both\n"
        "print(y)\n",
        ("and rank", "or False")),
    Mistake("d1-first-launch-by-one-process", "JS503",
        ARRAY + "if jax.process_index() == 0:\n    print(float(x.sum()))  # 0\n",
        ("jax.process_index() == 0", "True"), quick=True),
    Mistake("d2-later-launch-by-one-process", "JS503",
        ARRAY + "total = jax.jit(lambda x: x.sum())\n"
        "first = total(x)  # 1\n"
        "if rank == 0:\n    print(float(total(x)))  # 0\n",
        ("rank == 0", "True")),
    Mistake("f-other-numbers-of-devices", "JS504",
        "x = jax.device_put(np.ones(6), split)  # both\nprint(x.shape)\n",
        ("", ""), statuses=(1, 1), other={"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}),
    Mistake("g1-x64-on-one-process", "JS501",
        "jax.config.update('jax_enable_x64', rank == 1)\n"
        "x = spread(np.ones(2))\nprint(mapped(lambda x: jax.lax.psum(x, 'x'))(x).shape)  # both\n",
        ("rank == 1", "False"), also="JS504"),
    Mistake("g2-flags-of-xla-on-one-process", "JS504",
        ARRAY + "print(float(x.sum()))\n", ("", ""), statuses=(0, 0),
        other={"XLA_FLAGS": "--xla_disable_hlo_passes=all-reduce-combiner"}, mark="begins"),
    Mistake("h1-static-argument", "JS502",
        ARRAY + "power = jax.jit(lambda x, n: (x**n).sum(), static_argnums=1)\n"
        "print(float(power(x, 2 + rank)))  # both\n",
        ("2 + rank", "2"), quick=True, statuses=(0, 0)),
    Mistake("h2-constant-of-a-process", "JS502",
        ARRAY + "factor = 1.0 + jax.process_index()\n"
        "print(float(jax.jit(lambda x: (factor * x).sum())(x)))  # both\n",
        ("jax.process_index()", "1"), statuses=(0, 0)),
    Mistake("h3-turns-of-a-loop", "JS501",
        ARRAY + "def steps(x, n):\n"
        "    return jax.lax.fori_loop(0, n, lambda i, y: jax.lax.psum(y, 'x') / size, x)\n"
        "print(mapped(lambda x: steps(x, 3 + rank), P('x'))(x).shape)  # both\n",
        ("3 + rank", "3")),
    Mistake("h3-computed-turns-of-a-loop", "JS204",
        "x = spread(np.full(2, 3.0 + rank))\n"
        "def steps(x):\n"
        "    def turn(state):\n        return state[0] + 1, jax.lax.psum(state[1], 'x') / size\n"
        "    return jax.lax.while_loop(lambda state: state[0] < x[0], turn, (0.0, x))[1]\n"
        "print(mapped(steps, P('x'))(x).shape)  # both\n",
        ("3.0 + rank", "3.0"), options={"stall_seconds": 2, "stall_action": "exit"}),
    Mistake("i2-barriers-of-other-names", "JS508",
        "from jax._src import distributed\n"
        "distributed.global_state.client.wait_at_barrier('ab'[rank], 4000)  # both\n",
        ("[rank]", "[0]"), statuses=(1, 1)),
    Mistake("i3-broadcast-shapes-differ", "JS505",
        "print(multihost_utils.broadcast_one_to_all(np.ones(3 + rank)).shape)  # both\n", ("3 + rank", "3")),
    Mistake("i4-broadcast-names-differ", "JS505",
        "name = 'ab'[rank]\n"
        "print(multihost_utils.broadcast_one_to_all({name: np.ones(3)})[name].shape)  # both\n",
        ("[rank]", "[0]"), statuses=(0, 0)),
    Mistake("i5-gathered-by-a-helper", "JS505",
        "print(multihost_utils.process_allgather(np.ones(3 + rank)).shape)  # both\n", ("3 + rank", "3")),
    Mistake("i6-types-differ", "JS505",
        "print(multihost_utils.process_allgather(np.ones(3, (np.float32, np.int32)[rank])).dtype)  # both\n",
        ("[rank]", "[0]")),
    Mistake("i8-device-put-by-one-process", "JS503",
        "if rank == 0:\n    print(jax.device_put(np.ones(4), whole).shape)  # 0\n", ("rank == 0", "True")),
    Mistake("i9-copy-to-a-device-of-another-process", "JS503",
        "y = jax.device_put(np.ones(3), jax.local_devices()[0])\n"
        "z = jax.device_put(y, jax.devices()[1])  # 0\n"
        "print(float(spread(np.arange(4.0)).sum()))  # 1\n",
        ("jax.devices()[1]", "jax.local_devices()[0]")),
    Mistake("k1-dies-at-once", "JS503",
        ARRAY + "total = jax.jit(lambda x: x.sum())\n"
        "print(float(total(x)))  # 1\n"
        "if rank == 1:\n    os._exit(3)\n"
        "print(float(total(x)))  # 0\n",
        ("rank == 1", "False"), statuses=(66, 3)),
    Mistake("k2-process-0-dies", "JS503",
        ARRAY + "import time\ntotal = jax.jit(lambda x: x.sum())\n"
        "print(float(total(x)))  # both\n"
        "if rank == 0:\n    os._exit(3)\n"
        "time.sleep(2)\n",
        ("rank == 0", "False"), statuses=(3, 66)),
    Mistake("k3-raises", "JS503",
        ARRAY + "total = jax.jit(lambda x: x.sum())\n"
        "print(float(total(x)))\n"
        "if rank == 1:\n    raise ValueError('no data')  # 1\n"
        "print(float(total(x)))  # 0\n",
        ("rank == 1", "False"), quick=True),
)  # fmt: skip
