import json
import logging
from dataclasses import dataclass

from mpi4py import MPI

log = logging.getLogger("mantle")


class CaseError(Exception):
    pass


@dataclass
class Case:
    name: str
    rayleigh: float
    nz: int
    steps: int
    contrast: float = 1.0

    def check(self):
        if self.rayleigh <= 0:
            raise CaseError(f"{self.name}: Rayleigh number must be positive")
        if self.contrast < 1:
            raise CaseError(f"{self.name}: viscosity contrast below 1")


def read_case(path):
    try:
        with open(path) as fh:
            case = Case(**json.load(fh))
    except (OSError, TypeError, json.JSONDecodeError) as exc:
        raise CaseError(f"{path}: {exc}") from exc
    case.check()
    return case


def load_case(path, comm=MPI.COMM_WORLD):
    """Read a case file on rank 0 and share it."""
    case = None
    error = None
    if comm.rank == 0:
        try:
            case = read_case(path)
        except CaseError as exc:
            error = exc
    case, error = comm.bcast((case, error), root=0)
    if error is not None:
        raise error
    return case
