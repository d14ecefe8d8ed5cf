import logging
from dataclasses import dataclass, field

from .pricing import Pricer

log = logging.getLogger("desk")


@dataclass
class Valuation:
    comm: object
    pricer: Pricer
    values: dict = field(default_factory=dict)

    def warm_up(self, trades):
        """Fill the sample cache with the most traded underlyings."""
        lots = {}
        for t in trades:
            key = (t.name, t.expiry)
            lots[key] = lots.get(key, 0) + t.lots
        for name, expiry in sorted(lots, key=lots.get, reverse=True)[:4]:
            self.pricer.samples(name, expiry)

    def run(self, trades):
        for trade in trades:
            self.values[trade.ident] = trade.lots * self.pricer.price(trade)
            if self.comm.rank == 0 and trade.ident % 20 == 0:
                log.info("trade %d %s value %.2f", trade.ident, trade.name, self.values[trade.ident])
        return sum(self.values.values())
