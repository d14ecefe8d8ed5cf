"""Print the total of the ranks' values."""

from kernel import Statistics
from mpi4py import MPI

rank = MPI.COMM_WORLD.rank
print(rank, Statistics(rank).total(rank + 1.0))
