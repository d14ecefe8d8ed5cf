import numpy as np

PARTICLES = 40
CHUNK = 25


def member_steps(member):
    return 3 + member % 4


def derivative(s):
    x, y, z = s
    return np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])


def integrate(comm, member):
    """Yield (step, x coordinates of the local particles) after each chunk."""
    lo = PARTICLES * comm.Get_rank() // comm.Get_size()
    hi = PARTICLES * (comm.Get_rank() + 1) // comm.Get_size()
    rng = np.random.default_rng([member, 5])        # same stream on all ranks
    state = rng.normal(size=(3, PARTICLES))[:, lo:hi] + 1.0
    dt = 0.004
    for step in range(1, member_steps(member) + 1):
        for _ in range(CHUNK):
            k1 = derivative(state)
            k2 = derivative(state + 0.5 * dt * k1)
            state = state + dt * k2
        yield step, state[0]
