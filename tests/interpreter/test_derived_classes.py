"""Collectives that only some ranks reach because of objects of derived classes, records and generic functions."""

from __future__ import annotations

import pytest

from interpreter.running import faults

START = """
from mpi4py import MPI

comm = MPI.COMM_WORLD
own = list(range(comm.rank))
"""
PROGRAMS = {
    "exit stack": """
import contextlib

class Session(contextlib.ExitStack):
    def open(self):
        self.callback(comm.Barrier)

with Session() as session:
    if {test}:
        session.open()
""",
    "communicator": """
class World(MPI.Intracomm):
    def mean(self, value):
        return self.allreduce(value) / self.size

if {test}:
    World(comm).mean(1)
""",
    "attrs": """
from attrs import define, field

@define
class Settings:
    steps: list = field(factory=list)

settings = Settings()
if {test}:
    settings.steps.append(1)
for step in settings.steps:
    comm.Barrier()
""",
    "attrs without annotations": """
import attr

@attr.s
class Settings(object):
    save = attr.ib(default=False)

if Settings(save={test}).save:
    comm.Barrier()
""",
    "attrs with a converter": """
from pathlib import Path

from attrs import define, field

@define
class Settings:
    _folder: Path = field(converter=Path)
    save: bool = False

    def is_saved(self):
        return self.save and (self._folder / "a").suffix == ""

if Settings(folder="out", save={test}).is_saved():
    comm.Barrier()
""",
    "pydantic": """
from pydantic import BaseModel, Field

class Settings(BaseModel):
    save: bool = False
    names: list[str] = Field(default_factory=list)

settings = Settings().model_copy(update={{"save": {test}}})
if settings.model_dump()["save"]:
    comm.Barrier()
""",
    "singleton": """
class Environment:
    _made = None

    def __new__(cls):
        if cls._made is None:
            cls._made = super().__new__(cls)
            cls._made.total = comm.allreduce(1)
        return cls._made

if {test}:
    Environment()
""",
    "generic function": """
from functools import singledispatch

@singledispatch
def collect(data):
    return comm.gather(data)

@collect.register
def _(data: list):
    return comm.allgather(data)

collect([1] if {test} else 1.0)
""",
    "managed function": """
from contextlib import contextmanager

@contextmanager
def timed(name):
    yield
    comm.reduce(1.0)

@timed("work")
def work():
    return 1

if {test}:
    work()
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ranks_that_part_are_found(name: str) -> None:
    assert faults(START + PROGRAMS[name].format(test="own"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_ranks_that_stay_together_are_not(name: str) -> None:
    assert not faults(START + PROGRAMS[name].format(test="comm.size > 1"))


def test_fields_that_validators_replace_are_unknown() -> None:
    program = """
from pydantic import BaseModel, field_validator

class Settings(BaseModel):
    save: bool = False

    @field_validator("save")
    @classmethod
    def never(cls, value):
        return False

if Settings(save=bool(own)).save:
    comm.Barrier()
"""
    assert not faults(START + program)
