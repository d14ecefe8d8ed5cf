from .cache import TokenCache

__all__ = ["TokenCache"]
