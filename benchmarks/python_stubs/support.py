"""What the tests of Python need of `test.support`; other names are unknown."""

from conformance_others import *
import conformance

def cpython_only(f): return f
def no_tracing(f): return f
def refcount_test(f): return f
def impl_detail(*a, **k): return lambda f: f
def requires_resource(*a, **k): return lambda f: f
def bigmemtest(*a, **k): return skipped
def bigaddrspacetest(*a, **k): return skipped
def skipped(f):
    def g(self): conformance.stop()
    return g
def check_syntax_error(*a, **k): pass
def check_free_after_iterating(*a, **k): pass
def gc_collect(): pass
verbose = 0

class _Never:
    def __eq__(self, other): return False
    def __ne__(self, other): return True
    def __hash__(self): return 1
class _Always:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 1
NEVER_EQ = _Never()
ALWAYS_EQ = _Always()
