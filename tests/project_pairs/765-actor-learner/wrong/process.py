from abc import ABC, abstractmethod


class Process(ABC):
    """One role in the actor/learner system."""

    def __init__(self, comm, cfg):
        self.comm = comm
        self.cfg = cfg
        self.setup()

    def setup(self):
        pass

    @abstractmethod
    def run(self):
        ...
