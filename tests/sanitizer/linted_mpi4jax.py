"""Wrong programs with mpi4jax of which no run can tell anything; the linter sees them."""

from __future__ import annotations

from dataclasses import dataclass

from .cases import program
from .mpi4jax_cases import PREAMBLE


@dataclass(frozen=True, slots=True)
class Linted:
    """A wrong program that only the linter can see, on the marked line."""

    name: str
    body: str
    code: str

    @property
    def text(self) -> str:
        """The whole program."""
        return program(self.body, PREAMBLE)

    @property
    def line(self) -> int:
        """The line at fault."""
        return next(number for number, line in enumerate(self.text.splitlines(), 1) if "#@" in line)


SEEN_BY_THE_LINTER = [
    Linted(
        "1 received data thrown away",
        """
        buffer = jnp.zeros(4)
        if rank == 0:
            mpi4jax.send(ones, 1)
        elif rank == 1:
            mpi4jax.recv(buffer, 0)  #@
            print(buffer)
        """,
        "JM503",
    ),
    Linted(
        "1b result thrown away",
        """
        total = jnp.ones(4)
        mpi4jax.allreduce(total, op=MPI.SUM)  #@
        print(total)
        """,
        "JM503",
    ),
    Linted(
        "13 result unpacked as it was before 0.8",
        """
        total, _ = mpi4jax.allreduce(jnp.ones((2, 3)), op=MPI.SUM)  #@
        print(total)
        """,
        "JM501",
    ),
]
