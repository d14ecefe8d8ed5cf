from abc import ABC, abstractmethod

import numpy as np


class Observer(ABC):
    def __init__(self, trigger):
        self.trigger = trigger

    def update(self, model):
        if self.trigger.due(model):
            self.record(model)

    @abstractmethod
    def record(self, model):
        ...


class EnergyLog(Observer):
    def __init__(self, trigger):
        super().__init__(trigger)
        self.rows = []

    def record(self, model):
        self.rows.append((model.step_number, model.free_energy()))


class SafetySnapshot(Observer):
    """Keeps the newest complete state, so that a killed job can be continued."""

    def __init__(self, trigger):
        super().__init__(trigger)
        self.count = 0
        self.newest = None

    def record(self, model):
        mean = model.field.total(model.field.interior) / model.field.n ** 2
        whole = model.field.gather()
        self.count += 1
        if whole is not None:
            self.newest = (model.step_number, whole)
            if not np.isclose(whole.mean(), mean):
                raise RuntimeError("snapshot does not agree with the running mean")
