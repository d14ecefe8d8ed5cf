import numpy as np


class PartitionWriter:
    """Buffers records by target rank and writes one file for each."""

    def __init__(self, workspace, source, targets):
        self.workspace = workspace
        self.source = source
        self.buffers = [[] for _ in range(targets)]

    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        if kind is None:
            self.flush()
        return False

    def add(self, user, item, stars):
        self.buffers[item % len(self.buffers)].append((user, item, stars))

    def flush(self):
        for target, rows in enumerate(self.buffers):
            if not rows:
                continue
            user, item, stars = zip(*rows)
            np.savez(self.workspace.part(target, self.source),
                     user=np.array(user), item=np.array(item), stars=np.array(stars))
            rows.clear()


def read_partition(workspace, target, sources):
    users, items, stars = [], [], []
    for source in range(sources):
        path = workspace.part(target, source)
        if not path.exists():
            continue
        with np.load(path) as z:
            users.append(z["user"])
            items.append(z["item"])
            stars.append(z["stars"])
    if not users:
        return np.empty(0, int), np.empty(0, int), np.empty(0)
    return np.concatenate(users), np.concatenate(items), np.concatenate(stars)
