from mpi4py import MPI

TAG_CONNECT = 9
TAG_CHARGE = 10
TAG_FIELD = 11


def connect(world, is_particles):
    """Local communicator of the group and the bridge to the other one."""
    local = world.Split(0 if is_particles else 1, world.rank)
    n_particles = (world.size + 1) // 2
    leader = n_particles if is_particles else 0
    side = local.Create_intercomm(0, world, leader, TAG_CONNECT)
    return local, side


def ask_field(side, local, charge):
    field = None
    if local.rank == 0:
        side.send(charge, dest=0, tag=TAG_CHARGE)
        field = side.recv(source=0, tag=TAG_FIELD)
    return local.bcast(field, root=0)


def get_charge(side, local):
    charge = side.recv(source=0, tag=TAG_CHARGE) if local.rank == 0 else None
    return local.bcast(charge, root=0)


def answer(side, local, field):
    if local.rank == 0:
        side.send(field, dest=0, tag=TAG_FIELD)
