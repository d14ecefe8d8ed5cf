"""Arrays in the memory of the pretended driver's device, and operations on them as XLA would call them there."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxmpi_lint.runtime.collectives import native

IS_SHARED = os.environ.get("JAXMPI_TEST_GPU_AWARE") == "1"  # MPI is to be given the device's addresses
DRIVER = ctypes.CDLL(os.environ["JAXMPI_TEST_DRIVER"])
FRAME = ctypes.CDLL(os.environ["JAXMPI_TEST_FRAME"])

DRIVER.pretended_stream.restype = ctypes.c_void_p
DRIVER.pretended_allocate.restype = ctypes.c_uint64
DRIVER.pretended_allocate.argtypes = [ctypes.c_size_t, ctypes.c_int]
DRIVER.pretended_free.argtypes = [ctypes.c_uint64]
DRIVER.pretended_write.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t]
DRIVER.pretended_read.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t]
DRIVER.pretended_wait.argtypes = [ctypes.c_void_p]
DRIVER.pretended_fail.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int]
DRIVER.pretended_calls.argtypes = [ctypes.c_char_p]
DRIVER.pretended_most_locked.restype = ctypes.c_size_t
FRAME.frame_call.restype = ctypes.c_bool

STREAM = ctypes.c_void_p(DRIVER.pretended_stream())


class Described(ctypes.Structure):
    """An array as ``frame.cpp`` takes it."""

    _fields_ = [
        ("type", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("rank", ctypes.c_int64),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
    ]


class OnDevice:
    """Memory of the device for an array of this shape."""

    def __init__(self, shape: Sequence[int], dtype: Any) -> None:
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.bytes = int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize
        self.address: int = DRIVER.pretended_allocate(self.bytes, IS_SHARED)

    def __del__(self) -> None:
        DRIVER.pretended_free(self.address)

    def computed(self, value: np.ndarray) -> OnDevice:
        """Let a kernel compute this value, which has not run yet when this returns."""
        data = np.ascontiguousarray(value)
        DRIVER.pretended_write(STREAM, self.address, data.ctypes.data, self.bytes)
        return self

    def value(self) -> np.ndarray:
        """What a kernel finds there that runs next."""
        found = np.empty(self.shape, self.dtype)
        DRIVER.pretended_read(STREAM, found.ctypes.data, self.address, self.bytes)
        DRIVER.pretended_wait(STREAM)
        return found

    def described(self) -> Described:
        # XLA has no address for an empty array
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        address = self.address if self.bytes else None
        return Described(self.dtype.name.encode(), address, len(self.shape), shape)


def on_device(value: Any) -> OnDevice:
    """This array, to be computed by a kernel."""
    array = np.asarray(value)
    return OnDevice(array.shape, array.dtype).computed(array)


def call(operation: str, operands: Sequence[OnDevice], results: Sequence[OnDevice], **static: int) -> None:
    """Call the handler for CUDA; RuntimeError with what it says went wrong."""
    handler = getattr(native.LIBRARY, f"jaxmpi_cuda_{operation}")
    given = (Described * len(operands))(*(operand.described() for operand in operands))
    wanted = (Described * len(results))(*(result.described() for result in results))
    names = (ctypes.c_char_p * len(static))(*(name.encode() for name in sorted(static)))
    values = (ctypes.c_int64 * len(static))(*(static[name] for name in sorted(static)))
    text = ctypes.create_string_buffer(4096)
    succeeded = FRAME.frame_call(
        handler, STREAM, given, ctypes.c_int64(len(operands)), wanted, ctypes.c_int64(len(results)), names, values,
        ctypes.c_int64(len(static)), text, ctypes.c_size_t(len(text)),
    )  # fmt: skip
    if not succeeded:
        raise RuntimeError(text.value.decode())


def calls(*names: str) -> int:
    """How often these functions of the driver were called."""
    return sum(DRIVER.pretended_calls(name.encode()) for name in names)


def copies() -> int:
    """How many copies there were between device and host."""
    return calls("cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2")


def fail(name: str, result: int, others: int = 0) -> None:
    """Let the call of this function after ``others`` more give this result."""
    DRIVER.pretended_fail(name.encode(), others, result)
