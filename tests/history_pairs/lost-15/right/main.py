import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def share(params):
    """The parameters of rank 0 on every rank."""
    return comm.bcast(params, root=0)


def perturbed(params, rng):
    return {name: value + 0.1 * rng.normal() for name, value in params.items()}


def evaluate(params, times):
    return params["amplitude"] * np.exp(-times / params["decay"])


rng = np.random.default_rng()
params = perturbed({"amplitude": 2.0, "decay": 5.0}, rng)
params = share(params)

times = np.linspace(0.0, 10.0, 60)
part = evaluate(params, times[rank::comm.size])
parts = comm.gather(part, root=0)
if rank == 0:
    curve = np.empty(60)
    for r, values in enumerate(parts):
        curve[r::comm.size] = values
    print("falls monotonically:", bool((np.diff(curve) < 0).all()))
    print("is the model of rank 0:", bool(np.allclose(curve, evaluate(params, times))))
