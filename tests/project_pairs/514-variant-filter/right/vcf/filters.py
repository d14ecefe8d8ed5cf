from collections import Counter


class FilterChain:
    def __init__(self, context):
        self.context = context
        self.filters = []
        self.failed = Counter()

    def use(self, name, fn, **options):
        self.filters.append((name, fn, options))
        return self

    def accepts(self, record):
        for name, fn, options in self.filters:
            if not fn(record, self.context, **options):
                self.failed[name] += 1
                return False
        return True


def quality(record, context, minimum=20.0):
    return record["qual"] >= minimum


def depth(record, context, low=0.4, high=2.2):
    centre = context.meta["median_depth"]
    return low * centre <= record["dp"] <= high * centre


def allele_balance(record, context, minimum=0.2):
    return record["dp"] > 0 and record["ad"] / record["dp"] >= minimum
