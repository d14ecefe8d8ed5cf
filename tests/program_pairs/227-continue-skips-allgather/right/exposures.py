import random


class BadExposure(Exception):
    pass


def list_exposures(n):
    return [f"exp{i:03d}" for i in range(n)]


def read_exposure(name):
    """Simulated frame: a list of (source id, flux)."""
    number = int(name[3:])
    if number == 4:
        raise BadExposure("saturated")
    rng = random.Random(number)
    return [(f"s{rng.randrange(60)}", rng.random()) for _ in range(8)]
