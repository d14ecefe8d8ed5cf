import argparse

import numpy as np
from mpi4py import MPI

from envs import LinearPolicy, PointMass, rollout
from es import ESConfig, EvolutionStrategy
from seeding import SeedPlan


def evaluate(env, policy, theta, n_starts=16):
    angles = np.linspace(0.0, 2.0 * np.pi, n_starts, endpoint=False)
    starts = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return float(np.mean([rollout(env, policy, theta, s) for s in starts]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=24)
    parser.add_argument("--generations", type=int, default=15)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    cfg = ESConfig(pairs=args.pairs, generations=args.generations)
    env = PointMass()
    policy = LinearPolicy(env.obs_dim, env.act_dim)
    es = EvolutionStrategy(comm, env, policy, cfg, SeedPlan(args.seed, comm.rank))

    for gen in range(cfg.generations):
        mean, std = es.generation()
        if comm.rank == 0 and gen % 5 == 4:
            print(f"gen {gen + 1:3d}  population mean {mean:9.4f}  std {std:8.4f}")
    if comm.rank == 0:
        print(f"final policy: {evaluate(env, policy, es.theta):.4f}")


if __name__ == "__main__":
    main()
