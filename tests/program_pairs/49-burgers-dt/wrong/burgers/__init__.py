from .grid import Slab
from .scheme import rusanov_update, stable_dt

__all__ = ["Slab", "rusanov_update", "stable_dt"]
