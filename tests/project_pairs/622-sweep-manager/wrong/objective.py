"""Linear regression with momentum SGD: the thing that is tuned."""
import numpy as np

N_FEATURES = 12


def make_data(seed=11):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(500, N_FEATURES))
    w = rng.normal(size=N_FEATURES)
    y = x @ w + 0.1 * rng.normal(size=500)
    return (x[:400], y[:400]), (x[400:], y[400:])


def fit(trial, train, valid):
    """Train with the trial's parameters; returns the validation error.

    Raises FloatingPointError when the parameters diverge.
    """
    x, y = train
    w = np.zeros(N_FEATURES)
    v = np.zeros(N_FEATURES)
    rng = np.random.default_rng(trial.uid)
    with np.errstate(over="raise", invalid="raise"):
        for _ in range(trial.epochs):
            for idx in np.array_split(rng.permutation(len(x)), 20):
                err = x[idx] @ w - y[idx]
                grad = x[idx].T @ err / len(idx) + trial.l2 * w
                v = trial.momentum * v - trial.lr * grad
                w = w + v
        xv, yv = valid
        return float(np.mean((xv @ w - yv) ** 2))
