import logging

import numpy as np

REGISTRY = {}


def register(name):
    def add(cls):
        REGISTRY[name] = cls
        return cls
    return add


def build_callbacks(names, cfg):
    return [REGISTRY[name](cfg) for name in names]


class Callback:
    """Called on every rank; a true result of on_step ends the run."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.log = logging.getLogger("ljmd." + type(self).__name__)

    def on_start(self, engine):
        pass

    def on_step(self, engine):
        return False


@register("thermostat")
class Rescale(Callback):
    """Weak velocity rescaling towards the target temperature."""

    def on_step(self, engine):
        if engine.step % self.cfg["rescale_every"] == 0:
            ratio = self.cfg["temperature"] / engine.temperature()
            engine.system.vel *= np.sqrt(1.0 + 0.1 * (ratio - 1.0))
        return False


class EnergyCallback(Callback):
    every_key = "report_every"
    everywhere = False

    def on_step(self, engine):
        if engine.step % self.cfg[self.every_key]:
            return False
        return self.handle(engine, engine.total_energy(everywhere=self.everywhere))

    def handle(self, engine, energy):
        raise NotImplementedError


@register("report")
class Report(EnergyCallback):
    def handle(self, engine, energy):
        if engine.dist.is_main:
            self.log.info("step %4d  E/N %.5f  T %.4f", engine.step,
                          energy / engine.system.n, engine.temperature())
        return False


@register("drift")
class DriftGuard(EnergyCallback):
    """Ends the run when the energy per atom has moved too far."""

    every_key = "drift_every"

    def on_start(self, engine):
        self.reference = engine.total_energy()

    def handle(self, engine, energy):
        drift = abs(energy - self.reference) / engine.system.n
        return drift > self.cfg["max_drift"]
