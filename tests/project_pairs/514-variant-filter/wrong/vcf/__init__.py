from .source import VariantSource
from .filters import FilterChain, allele_balance, depth, quality
from .context import RunContext

__all__ = ["VariantSource", "FilterChain", "RunContext", "allele_balance", "depth", "quality"]
