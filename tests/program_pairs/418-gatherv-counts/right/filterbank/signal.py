import numpy as np
from scipy import signal


def seismogram(fs, seconds, rank, seed=3):
    """noise with a few wavelets, number of events differs per stretch"""
    rng = np.random.default_rng([seed, rank])
    n = int(fs * seconds)
    t = np.arange(n) / fs
    y = 0.05 * rng.normal(size=n)
    for t0 in rng.uniform(0.5, seconds - 0.5, size=3 + 2 * rank):
        y += np.exp(-((t - t0) / 0.05) ** 2) * np.sin(2 * np.pi * 12 * (t - t0) + 1)
    return y


def bandpass(y, fs, lo=6.0, hi=20.0):
    sos = signal.butter(4, [lo, hi], btype="band", fs=fs, output="sos")
    return signal.sosfiltfilt(sos, y)


def pick(y, fs, threshold):
    env = np.abs(signal.hilbert(y))
    peaks, _ = signal.find_peaks(env, height=threshold, distance=int(0.2 * fs))
    return peaks / fs, env[peaks]
