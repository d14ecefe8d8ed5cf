"""With `strict` a launch begins only when all processes that it needs have reached the same launch."""

from __future__ import annotations

import pytest

from .cases import ARRAY, MISTAKES, TWO
from .jobs import lines_of, run
from .test_hosts import FOUR, SECONDS, TWO_HOSTS

pytestmark = pytest.mark.runs_jax

ONE_HOST: tuple[str, ...] = ()
CAUGHT = (
    ARRAY + TWO + "for step in range(3):\n    y = add(x)\nprint(y, flush=True)\n"
    "try:\n"
    "    (add, most)[rank == size - 1](x)  # both\n"
    "    print('began', flush=True)\n"
    "except RuntimeError as error:\n"
    "    print('caught', str(error)[:5], flush=True)\n"
    "import time\nopen(f'done{rank}', 'w').close()\n"
    "while not all(os.path.exists(f'done{one}') for one in range(size)):\n    time.sleep(0.05)\nos._exit(5)\n"
)
TOTAL = ARRAY + "import time\ntotal = jax.jit(lambda x: x.sum())\n"
IN_STRICT = ("b-leaves-the-loop-early", "d1-first-launch-by-one-process", "a3-summed-shapes-differ")


@pytest.mark.parametrize(
    "hosts",
    [
        pytest.param(ONE_HOST, id="one host"),
        pytest.param(TWO_HOSTS, id="two hosts", marks=pytest.mark.soak),
        pytest.param(FOUR, id="two hosts of two", marks=pytest.mark.soak),
    ],
)
def test_nobody_begins_what_differs(hosts: tuple[str, ...]) -> None:
    processes = len(hosts) or 2
    result = run(CAUGHT, processes, sanitize="strict", options={"on_error": "raise"}, hosts=hosts, seconds=SECONDS)
    assert {finding.code for finding in result.findings} == {"JS501"}, result
    assert all("caught JS501" in text and "began" not in text for text in result.out), result
    (finding,) = result.findings
    assert {place.line for place in finding.places} == set(lines_of(CAUGHT, "both")), result


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.soak]) for one in IN_STRICT])
@pytest.mark.parametrize("hosts", [pytest.param(ONE_HOST, id="one host"), pytest.param(TWO_HOSTS, id="two hosts")])
def test_mistake_ends_the_job(name: str, hosts: tuple[str, ...]) -> None:
    mistake = next(one for one in MISTAKES if one.name == name)
    result = run(mistake.text, sanitize="strict", hosts=hosts, seconds=SECONDS)
    assert result.statuses == (66, 66), result
    assert [finding.code for finding in result.findings] == [mistake.code], result
    assert not result.left, result


LOOP = TOTAL + (
    "scaled = jax.jit(lambda x: x / x.sum())\nfor step in range(300):\n    x = scaled(x)\n"
    "print(float(total(x * x)), flush=True)\n"
)


@pytest.mark.parametrize(
    "hosts", [pytest.param(ONE_HOST, id="one host"), pytest.param(FOUR, id="two hosts of two", marks=pytest.mark.soak)]
)
def test_correct_program_has_the_same_results(hosts: tuple[str, ...]) -> None:
    processes = len(hosts) or 2
    plain = run(LOOP, processes, sanitize="", seconds=SECONDS)
    result = run(LOOP, processes, sanitize="strict", hosts=hosts, seconds=SECONDS)
    assert set(plain.statuses) == set(result.statuses) == {0}, f"{plain}\n{result}"
    assert result.findings == (), result
    (line,) = result.said
    assert "with agreement before each launch" in line, result
    assert [text.splitlines()[-1] for text in plain.out] == [text.splitlines()[-1] for text in result.out]


@pytest.mark.soak
@pytest.mark.parametrize("hosts", [pytest.param(ONE_HOST, id="one host"), pytest.param(TWO_HOSTS, id="two hosts")])
def test_wait_for_a_slow_process_has_an_end(hosts: tuple[str, ...]) -> None:
    program = TOTAL + "print(float(total(x)), flush=True)\ntime.sleep(8 * rank)\nprint(float(total(x)), flush=True)\n"
    result = run(program, sanitize="strict", options={"stall_seconds": 2}, hosts=hosts, seconds=SECONDS)
    assert result.statuses == (0, 0), result
    assert result.codes <= {"JS204"}, result
    assert any("strict: 1 launch began after `stall_seconds` although" in line for line in result.said), result


@pytest.mark.soak
@pytest.mark.parametrize("hosts", [pytest.param(ONE_HOST, id="one host"), pytest.param(TWO_HOSTS, id="two hosts")])
def test_waiting_can_be_interrupted(hosts: tuple[str, ...]) -> None:
    program = TOTAL + (
        "print(float(total(x)), flush=True)\nimport signal, threading\n"
        "if rank == 1:\n"
        "    threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "    try:\n        total(x)\n    except KeyboardInterrupt:\n        print('interrupted', flush=True)\n"
        "    os._exit(0)\n"
        "time.sleep(8)\nos._exit(0)\n"
    )
    result = run(program, sanitize="strict", options={"stall_seconds": 60}, hosts=hosts, seconds=SECONDS)
    assert "interrupted" in result.out[1], result
