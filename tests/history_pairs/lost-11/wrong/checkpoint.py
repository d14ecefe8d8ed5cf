import json
import os

FOLDER = "checkpoints"
LATEST = os.path.join(FOLDER, "latest.json")


def prepare():
    os.makedirs(FOLDER, exist_ok=True)
    save_epoch(0, None)


def save_epoch(epoch, loss):
    with open(LATEST, "w") as handle:
        json.dump({"epoch": epoch, "loss": loss}, handle)


def latest_epoch():
    with open(LATEST) as handle:
        return json.load(handle)["epoch"]
