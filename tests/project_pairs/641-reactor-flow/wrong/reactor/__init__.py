"""Steady plug-flow reactor with axial dispersion on a 1-D distributed grid."""
from .config import ReactorConfig
from .domain import Domain
from .solver import ReactorSolver

__all__ = ["ReactorConfig", "Domain", "ReactorSolver"]
