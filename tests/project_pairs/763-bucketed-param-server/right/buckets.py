from dataclasses import dataclass


@dataclass(frozen=True)
class Bucket:
    index: int
    start: int
    stop: int

    @property
    def size(self):
        return self.stop - self.start

    @property
    def span(self):
        return slice(self.start, self.stop)


def make_buckets(n_params, bucket_elems):
    starts = range(0, n_params, bucket_elems)
    return [Bucket(i, s, min(s + bucket_elems, n_params)) for i, s in enumerate(starts)]
