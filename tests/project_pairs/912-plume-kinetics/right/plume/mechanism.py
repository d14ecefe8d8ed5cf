"""Reaction mechanism read from a small text format."""
import re
from collections import Counter
from dataclasses import dataclass, field

TEXT = """
# rate      equation
 2.0e-1  :  NO2 -> NO + O3
 4.0e-1  :  NO + O3 -> NO2
 5.0e-2  :  CO + OH -> HO2
 8.0e-2  :  CH4 + OH -> CH3O2
 3.0e-1  :  CH3O2 + NO -> HCHO + HO2 + NO2
 6.0e-1  :  HO2 + NO -> OH + NO2
 9.0e-2  :  HCHO -> CO + 2 HO2
 7.0e-1  :  OH + NO2 -> HNO3
 2.0e-1  :  HO2 + HO2 -> H2O2
"""
TERM = re.compile(r"(?:(\d+)\s+)?([A-Z][A-Za-z0-9]*)$")


@dataclass(frozen=True)
class Reaction:
    rate: float
    reactants: Counter
    products: Counter

    def species(self):
        yield from self.reactants
        yield from self.products


def _side(text):
    out = Counter()
    for term in text.split("+"):
        match = TERM.match(term.strip())
        if match is None:
            raise ValueError(f"cannot read term {term!r}")
        out[match.group(2)] += int(match.group(1) or 1)
    return out


@dataclass
class Mechanism:
    reactions: list
    inert: frozenset = frozenset({"CH4"})
    index: dict = field(default_factory=dict)

    def __post_init__(self):
        for reaction in self.reactions:
            for name in reaction.species():
                self.index.setdefault(name, len(self.index))

    @classmethod
    def parse(cls, text=TEXT):
        rows = (line for line in text.splitlines() if line.strip() and line.strip()[0] != "#")
        reactions = []
        for row in rows:
            rate, equation = row.split(":")
            left, right = equation.split("->")
            reactions.append(Reaction(float(rate), _side(left), _side(right)))
        return cls(reactions)

    def transported(self):
        """Names of the species that enter the budget."""
        names = {n for r in self.reactions for n in r.species()}
        return sorted(names - self.inert)
