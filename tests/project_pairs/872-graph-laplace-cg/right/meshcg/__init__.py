from .graph import build_grid_graph
from .partition import LocalMesh
from .operators import JacobiPreconditioner, ShiftedLaplacian
from .krylov import ConjugateGradient

__all__ = ["build_grid_graph", "LocalMesh", "JacobiPreconditioner",
           "ShiftedLaplacian", "ConjugateGradient"]
