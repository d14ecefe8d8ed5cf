"""All measurements in one sector of the survey."""
import numpy as np

from .fitting import best_period, quadratic

PERIODS = np.linspace(1.0, 12.0, 600)


class SectorJob:
    def __init__(self, comm, survey, stars):
        self.comm = comm
        self.survey = survey
        self.stars = stars

    def ensemble_trend(self, fits):
        """Mean trend over all stars of all ranks."""
        local = np.zeros(4)
        for coefficients in fits:
            local[:3] += coefficients
            local[3] += 1
        total = np.empty_like(local)
        self.comm.Allreduce(local, total)
        return total[:3] / total[3]

    def measure(self, sector):
        curves = [self.survey.load(star, sector) for star in self.stars]
        fits = [(c, quadratic(c)) for c in curves]
        usable = [(c, fit) for c, fit in fits if fit is not None]
        trend = self.ensemble_trend(fit for _, fit in usable)
        return {c.star: best_period(c, trend, PERIODS) for c, _ in usable}
