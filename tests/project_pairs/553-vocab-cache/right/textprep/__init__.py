from .corpus import Corpus
from .vocab import VocabStore

__all__ = ["Corpus", "VocabStore"]
