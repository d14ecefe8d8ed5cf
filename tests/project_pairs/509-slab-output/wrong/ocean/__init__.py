from ocean.model import ShallowWater
from ocean.output import RunDirectory, SlabWriter, stitch

__all__ = ["ShallowWater", "RunDirectory", "SlabWriter", "stitch"]
