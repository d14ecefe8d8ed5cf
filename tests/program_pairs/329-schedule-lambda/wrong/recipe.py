"""Training recipe: plain values plus the learning-rate schedule made from them."""
import json
import math
import os

DEFAULTS = {"lr": 0.5, "epochs": 60, "warmup": 5, "schedule": "cosine", "seed": 4}


def read_recipe(path):
    values = dict(DEFAULTS)
    if os.path.exists(path):
        with open(path) as f:
            values.update(json.load(f))
    return values


def make_schedule(values):
    lr, total, warmup = values["lr"], values["epochs"], values["warmup"]
    if values["schedule"] == "constant":
        return lambda epoch: lr
    return lambda epoch: lr * min(1.0, (epoch + 1) / warmup) * \
        0.5 * (1 + math.cos(math.pi * epoch / total))
