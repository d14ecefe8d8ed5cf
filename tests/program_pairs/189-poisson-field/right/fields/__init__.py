from .field import DistributedField
from .operators import laplacian_residual

__all__ = ["DistributedField", "laplacian_residual"]
