"""Barriers of JAX's coordination service: only processes that cannot come to each other's barrier are told."""

from __future__ import annotations

import pytest

from .jobs import lines_of, run
from .test_hosts import SECONDS, TWO_HOSTS

pytestmark = [pytest.mark.runs_jax, pytest.mark.soak]

BEGIN = "import threading, time\nfrom jax._src import distributed\nclient = distributed.global_state.client\n"
DIFFERENT = BEGIN + "client.wait_at_barrier('ab'[rank], 6000)  # both\n"
RIGHT = BEGIN + (
    "time.sleep(3 * rank)\nclient.wait_at_barrier('late', 20000)\n"
    "def later(name):\n    time.sleep(4)\n    client.wait_at_barrier(name, 20000)\n"
    "thread = threading.Thread(target=later, args=('xy'[rank],))\nthread.start()\n"
    "client.wait_at_barrier('yx'[rank], 20000)\nthread.join()\n"
    "for turn in range(20):\n    client.wait_at_barrier(f'turn {turn}', 20000)\n"
    "client.wait_at_barrier(f'own {rank}', 20000, [rank])\n"
    "try:\n    client.wait_at_barrier('pq'[rank], 2900)  # expected to time out\nexcept RuntimeError:\n    pass\n"
    "time.sleep(2 * rank)\nprint(float(spread(np.arange(4.0)).sum()), flush=True)\n"
)


def test_processes_at_different_barriers_on_two_hosts() -> None:
    result = run(DIFFERENT, hosts=TWO_HOSTS, seconds=SECONDS)
    assert result.statuses == (1, 1), result
    (finding,) = result.findings
    assert (finding.code, finding.ranks) == ("JS508", (0, 1)), result
    assert [place.line for place in finding.places] == lines_of(DIFFERENT, "both") * 2, result


def test_slow_processes_and_threads_are_left_alone() -> None:
    result = run(RIGHT)
    assert result.statuses == (0, 0), result
    assert result.findings == (), result
    assert len(result.said) == 1, result
