import json
import random
from pathlib import Path

from mpi4py import MPI

from model import epidemic

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

number = random.randrange(10 ** 6)
folder = Path("ensemble") / f"set_{number:06d}"
folder.mkdir(parents=True, exist_ok=True)

for member in range(rank, 12, size):
    outcome = epidemic(seed=member, contacts=1.2 + 0.1 * member)
    with open(folder / f"member_{member:02d}.json", "w") as handle:
        json.dump(outcome, handle)
comm.Barrier()

if rank == 0:
    outcomes = []
    for path in sorted(folder.glob("member_*.json")):
        with open(path) as handle:
            outcomes.append(json.load(handle))
    attack = [outcome["ill"] for outcome in outcomes]
    print("members:", len(outcomes), "largest outbreak above 500:", max(attack) > 500)
