"""Three toy models with one state variable each."""


class Atmosphere:
    def __init__(self):
        self.wind = 5.0

    def step(self, albedo):
        self.wind = 0.9 * self.wind + 2.0 * albedo
        return self.wind

    def state(self):
        return self.wind


class Ocean:
    def __init__(self):
        self.temperature = 280.0

    def step(self, wind):
        self.temperature -= 0.01 * (wind - 5.0)
        return self.temperature

    def state(self):
        return self.temperature


class Ice:
    def __init__(self):
        self.cover = 0.2

    def step(self, temperature):
        self.cover += 0.001 * (279.0 - temperature)
        return self.cover

    def state(self):
        return self.cover
