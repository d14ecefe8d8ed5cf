class RelaxSettings:
    """Settings with defaults; unknown keys are refused."""

    defaults = dict(
        structures=16, pools=2, ratings="", out="ranking.csv", seed=5, fmax=1e-3, max_steps=400
    )

    def __init__(self, **values):
        unknown = set(values) - set(self.defaults)
        if unknown:
            raise TypeError(f"unknown settings: {sorted(unknown)}")
        self.__dict__.update({**self.defaults, **values})

    @classmethod
    def from_dict(cls, values):
        return cls(**values)

    def rating(self, slot):
        """Relative speed of a slot of the machine."""
        numbers = [float(x) for x in self.ratings.split(",") if x]
        return numbers[slot % len(numbers)] if numbers else 1.0
