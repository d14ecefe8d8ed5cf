import numpy as np

SESSION = np.dtype([
    ("session", np.int64),
    ("clicks", np.int64),
    ("pages", np.int64),
    ("dwell", np.float64),
])


def session_features(session):
    sid, clicks = session
    times = [t for t, _ in clicks]
    return sid, len(clicks), len({u for _, u in clicks}), max(times) - min(times)


def as_table(rows):
    return np.array(rows, dtype=SESSION)
