"""What the tests of Python need of `unittest`: each assertion is reported to the library `conformance`."""

from conformance_others import *
import conformance

class SkipTest(Exception):
    pass

def skip(*a): return lambda f: f
def skipIf(*a): return lambda f: f
def skipUnless(*a): return lambda f: f
def expectedFailure(f): return f
def main(*a, **k): pass

class _Raises:
    def __init__(self, kinds):
        self.kinds = kinds
        self.exception = None
    def __enter__(self):
        return self
    def __exit__(self, kind, value, tb):
        if kind is None:
            conformance.unraised()
            conformance.stop()
            return False
        self.exception = value
        return issubclass(kind, self.kinds)

class _SubTest:
    def __enter__(self):
        return self
    def __exit__(self, *args):
        return False

class TestCase:
    maxDiff = None
    def __init__(self, name="runTest"):
        self._name = name
    def setUp(self): pass
    def tearDown(self): pass
    def addCleanup(self, *args, **kw): pass
    def enterContext(self, cm): conformance.stop()
    def id(self): return self._name
    def subTest(self, *args, **kw): return _SubTest()
    def skipTest(self, reason): raise SkipTest(reason)
    def fail(self, msg=None): conformance.failed("fail")
    def assertEqual(self, a, b, msg=None): conformance.check(a == b, "==", a, b)
    assertEquals = assertEqual
    assertListEqual = assertEqual
    assertTupleEqual = assertEqual
    assertDictEqual = assertEqual
    assertSetEqual = assertEqual
    assertSequenceEqual = assertEqual
    assertMultiLineEqual = assertEqual
    def assertNotEqual(self, a, b, msg=None): conformance.check(a != b, "!=", a, b)
    def assertTrue(self, a, msg=None): conformance.check(bool(a), "true", a)
    def assertFalse(self, a, msg=None): conformance.check(not a, "false", a)
    def assertIs(self, a, b, msg=None): conformance.check(a is b, "is", a, b)
    def assertIsNot(self, a, b, msg=None): conformance.check(a is not b, "is not", a, b)
    def assertIsNone(self, a, msg=None): conformance.check(a is None, "is None", a)
    def assertIsNotNone(self, a, msg=None): conformance.check(a is not None, "is not None", a)
    def assertIn(self, a, b, msg=None): conformance.check(a in b, "in", a, b)
    def assertNotIn(self, a, b, msg=None): conformance.check(a not in b, "not in", a, b)
    def assertIsInstance(self, a, b, msg=None): conformance.check(isinstance(a, b), "isinstance", a, b)
    def assertNotIsInstance(self, a, b, msg=None): conformance.check(not isinstance(a, b), "not isinstance", a, b)
    def assertGreater(self, a, b, msg=None): conformance.check(a > b, ">", a, b)
    def assertGreaterEqual(self, a, b, msg=None): conformance.check(a >= b, ">=", a, b)
    def assertLess(self, a, b, msg=None): conformance.check(a < b, "<", a, b)
    def assertLessEqual(self, a, b, msg=None): conformance.check(a <= b, "<=", a, b)
    def assertCountEqual(self, a, b, msg=None): pass
    def assertAlmostEqual(self, a, b, *args, **kw): pass
    def assertNotAlmostEqual(self, a, b, *args, **kw): pass
    def assertRegex(self, *args, **kw): pass
    def assertNotRegex(self, *args, **kw): pass
    def assertWarns(self, *args, **kw): conformance.stop()
    def assertWarnsRegex(self, *args, **kw): conformance.stop()
    def assertLogs(self, *args, **kw): conformance.stop()
    def assertRaises(self, kinds, function=None, *args, **kw):
        if function is None:
            return _Raises(kinds)
        try:
            result = function(*args, **kw)
        except kinds:
            conformance.check(True, "raises")
        else:
            conformance.unraised(result)
    def assertRaisesRegex(self, kinds, text, function=None, *args, **kw):
        return self.assertRaises(kinds, function, *args, **kw)
