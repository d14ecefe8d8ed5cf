import numpy as np

from swarm import Swarm


def misfit(model):
    target = np.array([1.0, -2.0, 3.0])
    return float(((model - target) ** 2).sum())


def explore(swarm, model, tries=50):
    best, score = model, misfit(model)
    for _ in range(tries):
        trial = model + swarm.rng.normal(scale=0.5, size=3)
        if misfit(trial) < score:
            best, score = trial, misfit(trial)
    return best, score


swarm = Swarm()
model = np.zeros(3)
for turn in range(12):
    model, score = explore(swarm, model)
    lowest = swarm.lowest(score)
    leader = swarm.rank if score == lowest else 0
    model = swarm.follow(model, leader)

finals = swarm.everyone(misfit(model))
if swarm.rank == 0:
    print("one model:", len(set(finals)) == 1, "good:", finals[0] < 0.5)
