import os

OPTIONS = {
    "port": int(os.environ.get("SEGMENT_PORT", "23466")),
    "epochs": 6,
    "steps": 8,
    "rows": 4,
    "side": 12,
    "lr": 0.8,
    "history": os.environ.get("SEGMENT_HISTORY", "history.csv"),
    "decay_after": 2,
}
