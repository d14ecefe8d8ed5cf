"""Registry of collective diagnostics."""
REGISTRY = {}


def diagnostic(name, every):
    def register(func):
        REGISTRY[name] = (every, func)
        return func
    return register


def run_diagnostics(comm, step, xs):
    """Run those that are due; `step` is the same on all ranks of comm."""
    return {name: func(comm, xs)
            for name, (every, func) in sorted(REGISTRY.items())
            if step % every == 0}
