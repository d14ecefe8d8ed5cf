from mpi4py import MPI


def team_colour(rank, n_teams, team_size):
    """Team of a robot; robots that are left over stay in reserve."""
    if rank < n_teams * team_size:
        return rank // team_size
    return MPI.UNDEFINED


def make_team(comm, team_size):
    n_teams = comm.size // team_size
    return comm.Split(team_colour(comm.rank, n_teams, team_size), key=comm.rank)
