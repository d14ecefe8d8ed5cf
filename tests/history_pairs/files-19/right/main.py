from mpi4py import MPI

from dataset import Dataset
from prepare import prepare

FOLDER = "prepared"

comm = MPI.COMM_WORLD
if comm.rank == 0:
    prepare(FOLDER, shards=8, seed=4)
comm.Barrier()

dataset = Dataset(FOLDER, comm.rank, comm.size)
total, number = 0.0, 0
for tokens in dataset:
    total += float(tokens.mean())
    number += len(tokens)

number = comm.reduce(number, op=MPI.SUM, root=0)
if comm.rank == 0:
    print("tokens:", number)
