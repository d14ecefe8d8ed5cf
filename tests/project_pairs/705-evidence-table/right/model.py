"""Gaussian peak with unknown place and width: prior draws and likelihood."""
import numpy as np


def observations(n=40, seed=99):
    rng = np.random.default_rng(seed)
    return 1.3 + 0.7 * rng.standard_normal(n)


def draw_prior(rng, n):
    mu = rng.uniform(-5.0, 5.0, n)
    log_sigma = rng.uniform(-2.0, 2.0, n)
    return np.column_stack([mu, np.exp(log_sigma)])


def log_likelihood(theta, data):
    mu, sigma = theta[:, 0:1], theta[:, 1:2]
    z = (data[None, :] - mu) / sigma
    return (-0.5 * z**2 - np.log(sigma) - 0.5 * np.log(2 * np.pi)).sum(axis=1)


def plausible(theta, loglike, floor):
    keep = loglike > floor
    return theta[keep], loglike[keep]
