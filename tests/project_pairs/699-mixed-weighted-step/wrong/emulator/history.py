class History:
    """Loss of each iteration as text; without a path nothing is kept."""

    def __init__(self, path):
        self.path = path
        self.file = None

    def __enter__(self):
        self.file = open(self.path, "w") if self.path else None
        return self

    def add(self, iteration, loss):
        if self.file:
            self.file.write(f"{iteration} {loss:.8f}\n")

    def __exit__(self, *exc):
        if self.file:
            self.file.close()
        return False
