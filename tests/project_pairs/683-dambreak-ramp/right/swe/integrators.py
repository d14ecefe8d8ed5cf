INTEGRATORS = {}


def integrator(name):
    def wrap(cls):
        INTEGRATORS[name] = cls
        return cls
    return wrap


@integrator("cfl")
class CflIntegrator:
    """Forward Euler with the step limited by the fastest wave."""

    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.time = 0.0
        self.nsteps = 0

    def limit(self):
        return self.cfg.cfl * self.model.domain.dx / self.model.wave_speed()

    def stable_dt(self):
        return self.model.domain.global_min(self.limit())

    def select(self):
        return self.stable_dt()

    def step(self):
        dt = min(self.select(), self.cfg.t_end - self.time)
        self.model.update(dt)
        self.time += dt
        self.nsteps += 1
        return dt


@integrator("ramped")
class RampedIntegrator(CflIntegrator):
    """Starts with small steps so that the initial jump spreads gently."""

    def factor(self):
        return min(1.0, 0.1 + 0.9 * self.nsteps / max(self.cfg.ramp_steps, 1))

    def select(self):
        return self.factor() * self.stable_dt()
