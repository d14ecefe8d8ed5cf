"""Score the spectra against the reference of their round."""
from __future__ import annotations

from typing import Optional

import numpy as np

from catalog import Spectrum
from reference import Reference, ReferenceStream


def distance(spectrum: Spectrum, reference: Reference) -> float:
    return float(np.sqrt(np.mean((spectrum.flux - reference.flux) ** 2)))


class Scorer:
    def __init__(self, stream: ReferenceStream) -> None:
        self.stream = stream
        self.scores: dict[int, float] = {}

    def record(self, spectrum: Optional[Spectrum], reference: Reference) -> None:
        if spectrum is not None:
            self.scores[spectrum.ident] = distance(spectrum, reference)

    def run(self, spectra: list[Spectrum]) -> dict[int, float]:
        for spectrum, reference in zip(spectra, self.stream):
            self.record(spectrum, reference)
        return self.scores
