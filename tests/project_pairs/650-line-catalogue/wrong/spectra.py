import numpy as np
from scipy.optimize import curve_fit

WAVE = np.linspace(6500.0, 6640.0, 280)
STRENGTHS = [40.0, 22.0, 0.0, 65.0, 18.0, 90.0, 33.0, 12.0, 51.0, 27.0]


def spectrum(k):
    rng = np.random.default_rng(400 + k)
    z = 0.0005 * rng.random()
    return line(WAVE, 10.0, STRENGTHS[k], 6563.0 * (1 + z), 3.0) + rng.normal(0, 0.8, WAVE.size)


def line(x, cont, amp, mu, sigma):
    return cont + amp * np.exp(-0.5 * ((x - mu) / sigma) ** 2)


def fit(k):
    y = spectrum(k)
    guess = (np.median(y), y.max() - np.median(y), WAVE[np.argmax(y)], 2.5)
    p, cov = curve_fit(line, WAVE, y, p0=guess, maxfev=4000)
    return {"id": k, "amp": p[1], "mu": p[2], "sigma": abs(p[3]),
            "snr": p[1] / np.sqrt(cov[1, 1])}
