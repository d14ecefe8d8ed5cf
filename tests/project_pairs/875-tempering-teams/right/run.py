from mpi4py import MPI

from tempering import GaussianMove, OscillatorChain, ReplicaTeam

TEAM_SIZE = 2


def main():
    world = MPI.COMM_WORLD
    teams = world.size // TEAM_SIZE
    replica = ReplicaTeam(
        world,
        team_size=TEAM_SIZE,
        model=OscillatorChain(ndim=12),
        move=GaussianMove(),
        temperatures=[1.6 ** i for i in range(teams)],
        seed=20,
    )
    replica.run(sweeps=1500, burn_in=200)
    replica.report()


if __name__ == "__main__":
    main()
