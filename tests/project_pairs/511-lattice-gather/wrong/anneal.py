import logging

from diagnostics import StripStats, column, imbalance, spread

log = logging.getLogger("ising")


class Annealer:
    def __init__(self, strip, schedule, sweeps_per_stage, check_every):
        self.strip = strip
        self.schedule = schedule
        self.sweeps = sweeps_per_stage
        self.check_every = check_every
        self.stats = StripStats(strip.comm)
        self.done = 0

    def stage(self, beta):
        self.strip.beta = beta
        acc = 0.0
        for k in range(self.sweeps):
            acc = self.strip.sweep()
            self.done += 1
            if self.done % self.check_every == 0:
                rows = self.stats.snapshot(self.done, self.strip, acc)
                if self.frozen(rows):
                    return False
        return True

    def frozen(self, rows):
        rate = column(rows, "acceptance").mean()
        log.info("sweep %4d  acceptance %.4f  spread %.3f  imbalance ok %s",
                 self.done, rate, spread(rows), imbalance(rows) < 50.0)
        return rate < 0.004

    def run(self):
        for beta in self.schedule:
            if not self.stage(beta):
                log.info("frozen at beta=%.3f", beta)
                break
        return self.done
