"""Steady state heat in a plate, row-decomposed."""
from .grid import SlabGrid
from .solver import JacobiSolver
