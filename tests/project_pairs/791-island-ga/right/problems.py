"""Test functions; each takes an array of genomes, one per row."""
import numpy as np

REGISTRY = {}


def problem(optimum):
    def register(func):
        func.optimum = optimum
        REGISTRY[func.__name__] = func
        return func
    return register


@problem(optimum=0.0)
def sphere(x):
    return (x**2).sum(axis=1)


@problem(optimum=0.0)
def rastrigin(x):
    return (x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum(axis=1)


@problem(optimum=0.0)
def rosenbrock(x):
    return (100 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1 - x[:, :-1]) ** 2).sum(axis=1)
