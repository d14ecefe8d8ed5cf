class VelocityVerlet:
    def __init__(self, system, dt):
        self.system = system
        self.dt = dt
        self.hooks = []
        self.potential = 0.0

    def every(self, interval, fn):
        self.hooks.append((interval, fn))

    def run(self, nsteps):
        s = self.system
        f, self.potential = s.forces()
        while s.step < nsteps:
            s.v += 0.5 * self.dt * f
            s.x = (s.x + self.dt * s.v) % s.box
            f, self.potential = s.forces()
            s.v += 0.5 * self.dt * f
            s.step += 1
            for interval, fn in self.hooks:
                if s.step % interval == 0:
                    fn(s, self.potential)
