from .match import CrossMatcher
from .catalog import Catalog, simulate

__all__ = ["CrossMatcher", "Catalog", "simulate"]
