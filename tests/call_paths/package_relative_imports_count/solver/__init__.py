from .iteration import relax
from .norms import norm

__all__ = ["norm", "relax"]
