from .ensemble import ReplicaTeam
from .model import OscillatorChain
from .moves import GaussianMove

__all__ = ["ReplicaTeam", "OscillatorChain", "GaussianMove"]
