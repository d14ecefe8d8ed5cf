"""Failed assertions of JAX show the names and lines of both sides; a program that expects them goes on."""

from __future__ import annotations

import pytest

from .jobs import Result, run

pytestmark = pytest.mark.runs_jax

NAMES = "multihost_utils.sync_global_devices('epoch 1')\nmultihost_utils.sync_global_devices(f'epoch {rank}')\n"
VALUES = "multihost_utils.assert_equal({'rate': np.float32(0.5 + rank), 'steps': 3}, 'settings')\n"
CAUGHT = f"""
try:
    {VALUES}except AssertionError as error:
    assert str(error).startswith('settings'), error
    print('caught')
"""


def notes(result: Result) -> list[str]:
    return [line for line in result.said if " calls " in line]


@pytest.mark.parametrize(
    ("program", "sides"),
    [
        (NAMES, ("rank 0 calls sync_global_devices('epoch 0')", "rank 1 calls sync_global_devices('epoch 1')")),
        (VALUES, ("rank 0 calls assert_equal(['rate']: 0.5 (float32[]))", "(['rate']: 1.5 (float32[]))")),
    ],
    ids=["names", "values"],
)
def test_both_sides_are_shown(program: str, sides: tuple[str, str]) -> None:
    result = run(program)
    assert result.statuses == (1, 1), result
    assert len(notes(result)) == 2, result
    for line in notes(result):
        assert all(side in line for side in sides), result
        assert line.count("at program.py:") == 2, result


def test_an_assertion_that_the_program_expects() -> None:
    result = run(CAUGHT)
    assert (result.statuses, result.codes, notes(result)) == ((0, 0), set(), []), result
    assert all(text.endswith("caught\n") for text in result.out), result


def test_devices_are_those_of_the_mesh() -> None:
    text = (
        "halves = jax.sharding.Mesh(np.array(jax.devices()).reshape(2, 1), ('data', 'model'))\n"
        "axes = ('data', 'model') if rank else 'data'\n"
        "f = jax.jit(jax.shard_map(lambda a: jax.lax.psum(a * (rank + 1), axes) if rank else jax.lax.pmax(a, axes),\n"
        "            mesh=halves, in_specs=P('data'), out_specs=P(), check_vma=False))\n"
        "f(spread(np.ones(2))).block_until_ready()\n"
    )
    result = run(text)
    assert result.codes == {"JS501"}, result
    (finding,) = result.findings
    assert finding.message == "ranks 0 and 1 differ in the collectives of launch 1 on all 2 devices", result
    assert "2048" not in finding.message + str([place.operation for place in finding.places]), result
    assert all("over all 2 devices" in place.operation for place in finding.places), result
