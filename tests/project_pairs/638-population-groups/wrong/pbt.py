"""Population based training: groups of two ranks train one member each.

    mpirun -n 4 python pbt.py
"""
import numpy as np
from mpi4py import MPI

from member import Config, Member

GROUP_SIZE = 2
GENERATIONS = 5
N_FEATURES = 16


def dataset(seed, n=600):
    rng = np.random.default_rng(seed)
    basis = np.random.default_rng(77).normal(size=(4, N_FEATURES))
    return rng.normal(size=(n, 4)) @ basis + 0.1 * rng.normal(size=(n, N_FEATURES))


def exploit(world, member, member_id, n_members, generation):
    """The worst member takes over the weights of the best one."""
    table = world.allgather((member.score(VALID), member_id))
    scores = dict((m, s) for s, m in table)
    ranking = sorted(scores, key=scores.get)
    best, worst = ranking[0], ranking[-1]
    leader = best * GROUP_SIZE
    payload = world.bcast((member.weights, member.config), root=leader)
    if member_id == worst and n_members > 1:
        # seeded by the generation: the same draw on all ranks of the group
        member.adopt(*payload, np.random.default_rng(generation))
    return scores, best


VALID = dataset(seed=1000, n=200)


def main():
    world = MPI.COMM_WORLD
    rank, size = world.Get_rank(), world.Get_size()
    if size % GROUP_SIZE:
        if rank == 0:
            print(f"number of ranks must be a multiple of {GROUP_SIZE}")
        return
    n_members = size // GROUP_SIZE
    member_id = rank // GROUP_SIZE
    group = world.Split(color=member_id, key=rank)

    config = Config(lr=[0.01, 0.04, 0.02, 0.03][member_id % 4], noise=0.1 * (member_id + 1))
    member = Member(config, group, N_FEATURES, seed=member_id)
    data = dataset(seed=group.Get_rank())

    for generation in range(GENERATIONS):
        member.train(data, steps=80, batch=50)
        scores, best = exploit(world, member, member_id, n_members, generation)
        if rank == 0:
            line = "  ".join(f"{m}:{scores[m]:.4f}" for m in sorted(scores))
            print(f"generation {generation}  {line}  best {best}", flush=True)

    checks = world.gather([float(np.linalg.norm(w)) for w in member.weights], root=0)
    if rank == 0:
        for r, norms in enumerate(checks):
            print(f"rank {r} (member {r // GROUP_SIZE}): |enc| {norms[0]:.4f} |dec| {norms[1]:.4f}")
    group.Free()


if __name__ == "__main__":
    main()
