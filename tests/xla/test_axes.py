"""Devices by the axes of a mesh, or all of them, instead of by their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from jaxmpi_lint.runtime.xla.programs import axes, signature


@dataclass(frozen=True)
class Client:
    devices: int

    def device_count(self) -> int:
        return self.devices


@dataclass(frozen=True)
class Device:
    id: int
    process_index: int
    client: Client


def devices(numbers: Sequence[int], total: int) -> list[Device]:
    """Devices of which each process has two."""
    return [Device(2048 * number, number // 2, Client(total)) for number in numbers]


@dataclass(frozen=True)
class Mesh:
    shape: Mapping[str, int]


@dataclass(frozen=True)
class Sharding:
    mesh: Mesh | None = None


MESH = {"data": 2, "model": 2}


@pytest.mark.parametrize(
    ("numbers", "mesh", "text"),
    [
        (range(8), MESH, "all 8 devices"),
        ((0, 1, 4, 5), MESH, "4 of 8 devices (mesh data=2, model=2, of ranks 0 and 2)"),
        ((6, 7), {}, "2 of 8 devices (of rank 3)"),
    ],
)
def test_sets_of_devices(numbers: Sequence[int], mesh: Mapping[str, int], text: str) -> None:
    assert axes.device_set(devices(numbers, 8), mesh) == text


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ([(0, 1, 2, 3)], "over all 4 devices"),
        ([(0, 2), (1, 3)], "along data"),
        ([(0, 1), (2, 3)], "along model"),
        ([(0, 3), (1, 2)], ""),
        ([(2, 0), (1, 3)], ""),  # the order within a group counts
        ([(0, 2)], ""),
        ([], ""),
    ],
)
def test_groups_of_a_collective(groups: list[tuple[int, ...]], text: str) -> None:
    assert axes.among(groups, MESH, 4) == text


def test_groups_along_two_of_three_axes() -> None:
    mesh = {"host": 2, "data": 2, "model": 2}
    assert axes.among([(0, 1, 4, 5), (2, 3, 6, 7)], mesh, 8) == "along host and model"


def test_without_a_mesh_groups_have_no_axes() -> None:
    assert axes.among([(0, 2), (1, 3)], {}, 4) == ""


def test_the_mesh_of_an_executable() -> None:
    shardings = [Sharding(), Sharding(Mesh({"x": 2})), Sharding(Mesh(MESH))]
    assert axes.mesh_of(shardings, 4) == MESH
    assert axes.mesh_of(shardings, 3) == {}
    assert axes.mesh_of([object()], 4) == {}


def test_a_collective_with_its_devices() -> None:
    one = signature.Collective("all-reduce", "add", ("float32[4]",), "{0,2},{1,3}", within=("branch 1",))
    assert one.described("along data") == "all-reduce(add) of float32[4] along data, in branch 1"
    assert str(one) == one.described("") == "all-reduce(add) of float32[4] in groups {0,2},{1,3}, in branch 1"
