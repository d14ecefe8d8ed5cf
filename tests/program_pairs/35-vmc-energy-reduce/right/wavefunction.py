"""Gaussian trial function psi = exp(-alpha x^2) and its local energy."""


def log_psi(alpha, x):
    return -alpha * x ** 2


def dlog_psi(alpha, x):
    """Derivative of log psi with respect to alpha."""
    return -x ** 2


def local_energy(alpha, x):
    return alpha + x ** 2 * (0.5 - 2.0 * alpha ** 2)
