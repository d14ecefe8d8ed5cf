"""Registry of the attribute plug-ins."""
REGISTRY = {}


class Attribute:
    """Base class.

    `level` is zero for attributes of the raw traces and one for attributes
    that are made from other ones, which are listed in `needs`.
    """

    name = ""
    needs = ()

    @property
    def level(self):
        return 1 if self.needs else 0

    def compute(self, section, known):
        raise NotImplementedError


def attribute(name, needs=()):
    def register(cls):
        if name in REGISTRY:
            raise ValueError(f"attribute {name} is registered twice")
        cls.name = name
        cls.needs = tuple(needs)
        REGISTRY[name] = cls()
        return cls
    return register
