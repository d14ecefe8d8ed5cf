"""Parallel tempering: neighbouring teams now and then swap temperatures."""
import math
import random
import sys

from mpi4py import MPI

from oscillators import Oscillators
from team import Team

WIDTH = 2


def accepted(turn, pair, mine, theirs):
    (beta, energy), (beta2, energy2) = mine, theirs
    chance = math.exp(min(0.0, (beta - beta2) * (energy - energy2)))
    return random.Random(f"{turn}-{pair}").random() < chance


def simulate(team, turns, sweeps=20):
    system = Oscillators(8, seed=team.world.rank)
    beta = 1.0 + team.number
    swaps = 0
    for turn in range(turns):
        for _ in range(sweeps):
            system.sweep(beta)
        mine = (beta, team.total(system.energy()))
        theirs = team.trade(turn, mine)
        if theirs is None:
            continue
        pair = min(team.number, team.opponent(turn))
        if accepted(turn, pair, mine, theirs):
            beta = theirs[0]
            swaps += 1
    return beta, swaps


def main(turns=10):
    world = MPI.COMM_WORLD
    if world.size % WIDTH:
        sys.exit(f"the number of ranks must be a multiple of {WIDTH}")
    team = Team(world, WIDTH)
    beta, swaps = simulate(team, turns)
    report = world.gather((team.number, beta, swaps) if team.leads else None, root=0)
    team.close()
    if world.rank == 0:
        for number, value, count in filter(None, report):
            print(f"team {number}: beta {value:.1f}, {count} swaps")


if __name__ == "__main__":
    main()
