from .layers import Dense, Tanh
from .net import Sequential
