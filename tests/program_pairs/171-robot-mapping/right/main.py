"""Teams of two robots map the rooms of a building with log odds occupancy grids."""
import numpy as np
from mpi4py import MPI

from teams import make_team

GRID = 60
TEAM_SIZE = 2


def room(number):
    rng = np.random.default_rng([9, number])
    walls = np.zeros((GRID, GRID), bool)
    walls[[0, -1]] = walls[:, [0, -1]] = True
    for _ in range(6):
        r, c = rng.integers(5, GRID - 15, 2)
        walls[r:r + rng.integers(2, 10), c:c + rng.integers(2, 10)] = True
    return walls


class Robot:
    def __init__(self, world_rank, walls, start):
        self.rng = np.random.default_rng([11, world_rank])
        self.walls = walls
        self.pos = np.array(start, float)
        self.log_odds = np.zeros(walls.shape)

    def scan(self, beams=24, reach=25):
        for angle in np.linspace(0, 2 * np.pi, beams, endpoint=False):
            direction = np.array([np.sin(angle), np.cos(angle)])
            for d in range(1, reach):
                r, c = np.clip(np.round(self.pos + d * direction), 0, GRID - 1).astype(int)
                seen = self.walls[r, c] ^ (self.rng.random() < 0.02)
                self.log_odds[r, c] += 1.2 if seen else -0.6
                if seen:
                    break

    def move(self):
        for _ in range(20):
            new = self.pos + self.rng.integers(-3, 4, 2)
            if np.all(new > 1) and np.all(new < GRID - 2) and not self.walls[tuple(new.astype(int))]:
                self.pos = new
                return


def explore(team, world_rank, number, steps=60):
    walls = room(number)
    starts = [(2, 2), (GRID - 3, GRID - 3)]
    robot = Robot(world_rank, walls, starts[team.rank % 2])
    for _ in range(steps):
        robot.scan()
        robot.move()
    merged = np.empty_like(robot.log_odds)
    team.Allreduce(robot.log_odds, merged)
    known = np.abs(merged) > 1.0
    correct = ((merged > 0) == walls)[known].mean()
    return number, float(known.mean()), float(correct)


def main():
    world = MPI.COMM_WORLD
    team = make_team(world, TEAM_SIZE)
    report = None
    if team != MPI.COMM_NULL:
        result = explore(team, world.rank, world.rank // TEAM_SIZE)
        if team.rank == 0:
            report = result
        team.Free()
    reports = world.gather(report, root=0)
    if world.rank == 0:
        for number, known, correct in filter(None, reports):
            print(f"room {number}: {known:6.1%} known, {correct:6.1%} of it correct")
        print(f"{world.size % TEAM_SIZE} robots in reserve")


if __name__ == "__main__":
    main()
