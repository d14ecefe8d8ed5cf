CONFIG = {
    "dims": 8,
    "rows": 1000,
    "batch": 48,
    "epochs": 3,
    "lr": 0.05,
    "noise": 0.1,
    "seed": 17,
    "report_every": 20,
}


def shard_rows(config, worker, workers):
    """Rows of one worker; the first ones take the remainder."""
    base, rest = divmod(config["rows"], workers)
    return base + (1 if worker < rest else 0)
