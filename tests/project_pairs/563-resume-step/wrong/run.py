"""Trains a ridge regression in two sessions; the second one continues the first."""
import sys

from config import Config
from runtime import Runtime
from session import TrainingSession


def main():
    cfg = Config.from_env()
    runtime = Runtime(cfg.coordinator)
    first = TrainingSession(cfg, runtime, budget=cfg.first_budget)
    first.restore(fresh=True)
    first.run()

    second = TrainingSession(cfg, runtime, budget=cfg.total_steps)
    second.restore()
    loss = second.run()
    runtime.say(f"done at step {second.step}, loss {loss:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
