"""Diagnostics register themselves under a label when their class is made."""
from abc import ABCMeta, abstractmethod


class DiagnosticMeta(ABCMeta):
    catalogue = {}

    def __new__(mcls, name, bases, namespace, *, label=None, needs=()):
        cls = super().__new__(mcls, name, bases, namespace)
        cls.label, cls.needs = label, frozenset(needs)
        if label is not None:
            mcls.catalogue[label] = cls
        return cls

    def __lt__(cls, other):
        return (len(cls.closure()), cls.label) < (len(other.closure()), other.label)

    def closure(cls):
        """Labels that have to be computed before this one, itself included."""
        found = {cls.label}
        for label in cls.needs:
            found |= DiagnosticMeta.catalogue[label].closure()
        return found


class Diagnostic(metaclass=DiagnosticMeta):
    def __init__(self, comm):
        self.comm = comm

    @abstractmethod
    def __call__(self, field, known):
        ...


def resolve(labels):
    wanted = set()
    for label in labels:
        wanted |= DiagnosticMeta.catalogue[label].closure()
    return sorted(DiagnosticMeta.catalogue[label] for label in wanted)
