import numpy as np
from mpi4py import MPI

from moe.layers import MixtureOfExperts
from moe.sync import all_reduce_gradients, replicas_agree

DIM, EXPERTS, STEPS, LR = 4, 8, 120, 0.05


def sample(rng, n, truth):
    x = rng.normal(size=(n, DIM))
    return x, x @ truth


def main():
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng([2, comm.rank])
    truth = np.eye(DIM) - 0.2
    model = MixtureOfExperts(EXPERTS, DIM)
    for step in range(1, STEPS + 1):
        x, t = sample(rng, 10, truth)
        model.zero_grad()
        loss = comm.allreduce(model.loss_and_backward(x, t)) / comm.size
        all_reduce_gradients(model, comm)
        for e in model.experts:
            if e.grad is not None:
                e.w -= LR * e.grad
        if step % 30 == 0 and comm.rank == 0:
            print(f"step {step} loss {loss:.4f}", flush=True)
    same = replicas_agree(model, comm)
    if comm.rank == 0:
        print("replicas agree" if same else "replicas have drifted apart")


if __name__ == "__main__":
    main()
