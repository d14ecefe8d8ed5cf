import os


class RunLog:
    def __init__(self, folder, name, rank):
        os.makedirs(folder, exist_ok=True)
        self.rank = rank
        self.handle = open(os.path.join(folder, f"{name}.log"), "w")

    def line(self, text, *values):
        self.handle.write(f"[{self.rank}] " + text % values + "\n")
        self.handle.flush()

    def close(self):
        self.handle.close()
