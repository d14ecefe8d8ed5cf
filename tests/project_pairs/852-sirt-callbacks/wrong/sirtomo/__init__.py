from .solver import SirtSolver, State  # noqa: F401
