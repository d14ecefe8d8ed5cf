SETTINGS = {
    "vocab": 20,
    "dim": 8,
    "steps": 30,
    "rows": 64,
    "lr": 1.5,
    "log_every": 10,
    "window": 5,
    "seed": 2,
}
