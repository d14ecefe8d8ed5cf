"""Symplectic Euler steps, in shared memory or serial."""


class Integrator:
    def __init__(self, potential, vel, dt):
        self.potential = potential
        self.vel = vel
        self.dt = dt

    def step(self):
        raise NotImplementedError

    def run(self, steps, every=0, callback=None):
        for n in range(1, steps + 1):
            self.step()
            if every and n % every == 0:
                callback(n, self)


class Serial(Integrator):
    def __init__(self, pos, *args):
        super().__init__(*args)
        self.pos = pos

    def step(self):
        self.vel += self.dt * self.potential.forces(self.pos)
        self.pos += self.dt * self.vel


class Shared(Integrator):
    def __init__(self, frame, *args):
        super().__init__(*args)
        self.frame = frame

    def step(self):
        frame, rows = self.frame, self.frame.mine
        self.vel += self.dt * self.potential.forces(frame.pos, rows)
        frame.sync()
        frame.pos[rows] += self.dt * self.vel
        frame.sync()
