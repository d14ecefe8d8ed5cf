from .system import System
from .integrator import VelocityVerlet
from .checkpoint import CheckpointStore

__all__ = ["System", "VelocityVerlet", "CheckpointStore"]
