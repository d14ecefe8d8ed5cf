"""Synthetic variant calls for a handful of contigs."""
import random

CONTIGS = {"chr1": 2400, "chr2": 2100, "chr3": 1500, "chr4": 900, "chrX": 1200, "chrM": 60}


class VariantSource:
    def __init__(self, samples, seed):
        self.samples = samples
        self.seed = seed

    def header(self):
        return {
            "contigs": dict(CONTIGS),
            "samples": [f"S{i:02d}" for i in range(self.samples)],
            "reference": "synthetic-1",
        }

    def median_depth(self):
        rng = random.Random(self.seed)
        draws = sorted(rng.gammavariate(9.0, 3.5) for _ in range(501))
        return draws[250]

    def records(self, contig, length):
        rng = random.Random(f"{self.seed}/{contig}")
        pos = 0
        while True:
            pos += 1 + int(rng.expovariate(1 / 8.0))
            if pos > length:
                return
            ref = rng.choice("ACGT")
            alt = rng.choice([b for b in "ACGT" if b != ref])
            dp = int(rng.gammavariate(9.0, 3.5))
            ad = sum(rng.random() < 0.48 for _ in range(dp))
            yield {"contig": contig, "pos": pos, "ref": ref, "alt": alt,
                   "dp": dp, "ad": ad, "qual": rng.uniform(5.0, 90.0)}
