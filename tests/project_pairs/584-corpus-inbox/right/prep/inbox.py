from pathlib import Path


class Inbox:
    """Dumps wait in new/ and are moved to done/ when their shard is written."""

    def __init__(self, root):
        root = Path(root)
        self.new = root / "new"
        self.done = root / "done"
        self.shards = root / "shards"

    def prepare(self):
        for folder in (self.new, self.done, self.shards):
            folder.mkdir(parents=True, exist_ok=True)

    def waiting(self):
        return sorted(self.new.glob("dump-*.json"))

    def shard_path(self, dump):
        return self.shards / dump.with_suffix(".txt").name

    def finish(self, dump):
        dump.rename(self.done / dump.name)
