import numpy as np


def polynomial_fit(order):
    x = np.linspace(0.0, 1.0, 50)
    y = 2.0 + 10.0 * x - 1.5 * x**2 + 0.2 * np.sin(3.0 * x)
    return np.polynomial.polynomial.polyfit(x, y, order)
