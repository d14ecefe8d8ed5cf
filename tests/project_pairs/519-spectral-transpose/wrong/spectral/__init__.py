from .pencil import RowBlocks
from .transpose import Transposer
from .solver import VorticitySolver

__all__ = ["RowBlocks", "Transposer", "VorticitySolver"]
