class Leaderboard:
    def __init__(self, world):
        self.world = world
        self.entries = []

    def add(self, number, setting, score):
        self.entries.append({"number": number, "score": score, **setting})

    def finish(self):
        """Collects the entries of all leaders, best first."""
        parts = self.world.gather(self.entries, root=0)
        if parts is not None:
            self.entries = sorted((e for p in parts for e in p), key=lambda e: e["score"])
        return self.world.bcast(self.entries[0] if parts is not None else None, root=0)

    def show(self):
        for e in self.entries:
            print(f"{e['number']:3d} loss {e['score']:.4f} lr {e['lr']:.4f} "
                  f"l2 {e['l2']:.4f} momentum {e['momentum']}")
