import os

import jax

DEFAULTS = {
    "rows": 400,
    "features": 5,
    "steps": 25,
    "lr": 0.8,
    "seed": 45,
    "coordinator": "127.0.0.1:23465",
}


def settings():
    out = dict(DEFAULTS)
    for key, value in DEFAULTS.items():
        raw = os.environ.get("FRAUD_" + key.upper())
        if raw is not None:
            out[key] = type(value)(raw)
    return out


def start(cfg):
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(
        coordinator_address=cfg["coordinator"],
        num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]),
        process_id=int(os.environ["OMPI_COMM_WORLD_RANK"]),
    )


def index():
    return jax.process_index()


def count():
    return jax.process_count()


def say(text):
    if index() == 0:
        print(text, flush=True)
