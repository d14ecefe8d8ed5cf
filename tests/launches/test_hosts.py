"""Processes on several hosts: compared like those of one, and reported once for the whole job.

A line that ends with `# 0` or `# 1` is where the report must place the processes of the first or the second host.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from .cases import ARRAY, TWO
from .jobs import Result, lines_of, run

pytestmark = pytest.mark.runs_jax

TWO_HOSTS = ("127.0.0.1", "127.0.0.2")
FOUR = ("127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2")
TOTAL = ARRAY + "total = jax.jit(lambda x: x.sum())\nhost = 2 * rank // size\n"
SECONDS = 240.0


@dataclass(frozen=True, slots=True)
class Apart:
    """A mistake that processes of different hosts make together."""

    name: str
    code: str
    text: str
    ranks: tuple[int, ...] = (0, 1)
    hosts: tuple[str, ...] = TWO_HOSTS
    statuses: tuple[int, ...] = (66, 66)
    quick: bool = False


MISTAKES = (
    Apart("opposite order", "JS501",
        ARRAY + TWO + "if rank < size // 2:\n    a = add(x)  # 0\nelse:\n    a = most(x)  # 1\nprint(a)\n",
        (0, 1, 2, 3), FOUR, (66,) * 4, quick=True),
    Apart("shapes that would crash", "JS501",
        "x = spread(np.ones(2 + 2 * rank))\n"
        "print(mapped(lambda x: jax.lax.psum(x, 'x'))(x).shape)  # both\n"),
    Apart("one function for another after a while", "JS501",
        ARRAY + TWO + "import time\na, b = add(x), most(x)\n"
        "for step in range(200):\n    y = add(x)\n"
        "f = (add, most)[rank]\n"
        "y = f(x)  # both\n"
        "float(y[0])\ntime.sleep(5)\nprint(y)\n"),
    Apart("the last launch of all", "JS501",
        ARRAY + TWO + "a, b = add(x), most(x)\nf = (add, most)[rank]\nfloat(f(x)[0])  # both\n"),
    Apart("another program", "JS502",
        ARRAY + "power = jax.jit(lambda x, n: (x**n).sum(), static_argnums=1)\n"
        "print(float(power(x, 2 + rank)))  # both\n",
        statuses=(0, 0)),
    Apart("leaves the loop early", "JS503",
        TOTAL + "for step in range(4 - host):\n    last = total(x)  # both\nprint(float(last))\n",
        (0, 1, 2, 3), FOUR, (66,) * 4, quick=True),
    Apart("raises", "JS503",
        TOTAL + "print(float(total(x)))\nif rank == 0:\n    raise ValueError('no data')  # 0\n"
        "print(float(total(x)))  # 1\n"),
    Apart("dies beside another one", "JS503",
        TOTAL + "print(float(total(x)))  # both\nif rank == 3:\n    os._exit(3)\nprint(float(total(x)))  # both\n",
        (0, 1, 2, 3), FOUR, (66, 66, 66, 3)),
)  # fmt: skip


@pytest.mark.parametrize(
    "mistake", [pytest.param(one, id=one.name, marks=[] if one.quick else [pytest.mark.soak]) for one in MISTAKES]
)
def test_mistake_is_reported_once(mistake: Apart) -> None:
    result = run(mistake.text, len(mistake.hosts), hosts=mistake.hosts, seconds=SECONDS)
    assert not result.hung, result
    assert result.statuses == mistake.statuses, result
    assert [finding.code for finding in result.findings] == [mistake.code], result
    assert not result.left, result
    (finding,) = result.findings
    assert finding.ranks == mistake.ranks, result
    for rank in mistake.ranks:
        places = [place for place in finding.places if place.rank == rank]
        expected = lines_of(mistake.text, "both") or lines_of(mistake.text, str(2 * rank // len(mistake.hosts)))
        assert {place.line for place in places if (place.file or "").endswith("program.py")} <= set(expected), result
    assert {place.rank for place in finding.places} == set(mistake.ranks), result


def test_surroundings_of_another_host_are_told_once() -> None:
    result = run("print('done')\n", hosts=TWO_HOSTS, each=({}, {"JAX_ENABLE_X64": "1"}), seconds=SECONDS)
    assert result.statuses == (0, 0), result
    assert [finding.code for finding in result.findings] == ["JS504"], result


@pytest.mark.soak
def test_data_for_a_function_of_all_processes() -> None:
    text = "print(multihost_utils.process_allgather(np.ones(3 + rank // 2)).shape)\n"
    result = run(text, 4, hosts=FOUR, seconds=SECONDS)
    assert result.statuses == (66,) * 4, result
    assert [finding.code for finding in result.findings] == ["JS505"], result


@pytest.mark.soak
def test_process_0_dies() -> None:
    # JAX aborts the others at once, and nobody is to blame them; what cannot be compared any more is said.
    # Only the host of process 0 detects the reason in time.
    text = (
        TOTAL
        + "print(float(total(x)), flush=True)  # all\nimport time\nif rank == 0:\n    time.sleep(2)\n    os._exit(3)\n"
    )
    result = run(text + "time.sleep(30)\n", 4, hosts=FOUR, seconds=SECONDS)
    assert result.statuses == (3, 66, -6, -6), result
    (finding,) = result.findings
    assert (finding.code, finding.ranks) == ("JS503", (0, 1, 2, 3)), result
    assert "rank 0 ended (exited with status 3 at once, by _exit)" in finding.message, result
    assert {place.line for place in finding.places} == set(lines_of(text, "all")), result
    assert any("no longer compared between hosts" in line for line in result.said), result
    assert any("the last launches of this host's processes: " in line for line in result.said), result
    assert not result.left, result


CLEAN = {
    # The pauses keep the newest thousand launches, which the hosts exchange, ahead of a loop on a busy machine.
    "a loop of 2000 launches": (FOUR, TOTAL + """\
import time
for step in range(2000):
    y = total(x)
    if step % 250 == 249:
        time.sleep(0.5)
print(float(y), flush=True)
"""),
    "unequal numbers, one host late and slow": (FOUR[1:] + FOUR[3:], TOTAL + """\
import time
time.sleep(3 * host)
for step in range(20):
    y = total(x)
    time.sleep(0.1 * host)
print(float(y), flush=True)
time.sleep(4 * host)
"""),
    "devices of one host, and of parts of both": (FOUR, TOTAL + """\
def among(ranks, turns):
    few = jax.sharding.Mesh(np.array([jax.devices()[one] for one in ranks]), ("x",))
    local = jax.device_put(np.arange(2.0), jax.local_devices()[0])
    if rank in ranks:
        mine = jax.make_array_from_single_device_arrays((2 * len(ranks),), NamedSharding(few, P("x")), [local])
        for _ in range(turns):
            y = total(mine)
        print(float(y), flush=True)
among((0, 1), 5)
among((2, 3), 9)
among((1, 2), 30)
among((0, 3), 2)
print(float(total(x)), flush=True)
"""),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.soak] * (place > 0)) for place, one in enumerate(CLEAN)]
)
def test_nothing_is_said(name: str) -> None:
    hosts, text = CLEAN[name]
    result = run(text, len(hosts), hosts=hosts, seconds=SECONDS)
    silent(result, len(hosts))


def silent(result: Result, processes: int) -> None:
    assert set(result.statuses) == {0}, result
    assert result.findings == (), result
    (line,) = result.said
    assert f"checking the launches of {processes} JAX processes on 2 hosts" in line, result
    assert not result.left, result
