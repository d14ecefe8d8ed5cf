import numpy as np


class Subject:
    def __init__(self):
        self._observers = []

    def attach(self, observer):
        self._observers.append(observer)
        return self

    def notify(self):
        for observer in self._observers:
            observer.update(self)


class AllenCahn(Subject):
    def __init__(self, field, width=1.5, dt=0.05):
        super().__init__()
        self.field = field
        self.width = width
        self.dt = dt
        self.step_number = 0

    def step(self):
        u = self.field.interior
        rate = self.width ** 2 * self.field.laplacian() + u - u ** 3
        u += self.dt * rate
        self.step_number += 1

    def free_energy(self):
        f = self.field
        f.refresh()
        u = f.interior
        grad = (f.data[2:] - u) ** 2 + (np.roll(u, -1, axis=1) - u) ** 2
        return f.total(0.25 * (u ** 2 - 1.0) ** 2 + 0.5 * self.width ** 2 * grad)

    def run(self, steps):
        for _ in range(steps):
            self.step()
            self.notify()
