class Settings(dict):
    """Plain dictionary whose items can be read as attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def updated(self, **changes):
        return Settings({**self, **changes})
