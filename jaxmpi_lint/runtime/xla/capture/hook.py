"""Hooks that record every launch of JAX before it executes, also on JAX's C++ fast path.

On the fast path JAX queries the layout of each input as it prepares a launch. The layout object of the last array is
replaced by one that records the launch in the ledger and returns the true layout. Launches from Python all go through
`ExecuteReplicated`. `docs/jax.md` lists what is not recorded.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.settings.environment import say_in_each_process
from jaxmpi_lint.runtime.xla.capture import executables, self_test
from jaxmpi_lint.runtime.xla.capture.self_test import Counter
from jaxmpi_lint.runtime.xla.checks import watching
from jaxmpi_lint.runtime.xla.checks.values import Disagreement

Watched = _native.Launch | Counter


class Hooks:
    """The hooks in the JAX of this process."""

    def __init__(self) -> None:
        self.installed = False
        self.blind = False  # recording has ended, which has been reported
        self.proved = False
        self.counter: Counter | None = None  # set while the self-test runs
        self.layout: type[Any] = object
        self.array: type[Any] = object

    def launch_of(self, replicated: Any) -> Watched | None:
        """The recorder of the launches of an executable; no failure here makes the program fail."""
        if self.counter is not None and self.counter.mine():
            return self.counter
        if self.blind:
            return None
        try:
            launch = executables.launch_of(replicated)
            if launch is not None and not self.proved:
                self.proved = True
                watching.WATCHING.launching()
                self.prove()
            if not self.blind:
                for finding in executables.findings():
                    watching.WATCHING.report(finding)
            return None if self.blind else launch
        except Disagreement:
            raise
        except Exception as error:
            self.give_up(f"{type(error).__name__}: {error} (internal error in the sanitizer)")
            return None

    def prove(self) -> None:
        """Run the self-test once, as soon as there are devices."""
        problem = self_test.problem(self)
        if problem:
            self.give_up(f"launches of this JAX version cannot be recorded ({problem})")

    def give_up(self, reason: str) -> None:
        """Stop checking this process."""
        self.blind = True
        _native.give_up_launches()
        say_in_each_process(f"NOT CHECKING: {reason}")

    def hooked(self, data: Any, executable: Any, arguments: Any, launch: Watched) -> Any:
        """The data of JAX's fast path with a recording layout for the last array; None if there is no array."""
        inputs = [one for one, kept in zip([*data.const_args, *arguments], data.kept_var_bitvec, strict=True) if kept]
        places = [place for place, one in enumerate(inputs) if type(one) is self.array]
        if not places:
            return None
        place = places[-1]
        true = executable._xla_in_layouts[place]
        layout: Any = object.__new__(self.layout)
        vars(layout).update(vars(true))
        layout._to_xla_layout = launch.hook(true._to_xla_layout(inputs[place].dtype)).ask
        layouts = list(data.in_device_local_layouts)
        layouts[place] = layout
        return data._replace(in_device_local_layouts=layouts)


HOOKS = Hooks()


def install() -> str:
    """Install the hooks once; the reason if this JAX lacks what they need."""
    if HOOKS.installed:
        return ""
    try:
        pxla: Any = import_module("jax._src.interpreters.pxla")
        pjit: Any = import_module("jax._src.pjit")
        compiler: Any = import_module("jax._src.compiler")
        layout: Any = import_module("jax._src.layout").Layout
        array: Any = import_module("jax._src.array").ArrayImpl
        start, prepare = pxla.ExecuteReplicated.__call__, pjit._get_fastpath_data
        ahead, compile_module = pxla.MeshExecutable.create_cpp_call, compiler.compile_or_get_cached
    except (ImportError, AttributeError) as missing:
        return f"it lacks {getattr(missing, 'name', None) or missing}"

    @functools.wraps(start)
    def begin(self: Any, *arguments: Any, **named: Any) -> Any:
        launch = HOOKS.launch_of(self)
        if launch is not None:
            launch.begin()
        return start(self, *arguments, **named)

    @functools.wraps(prepare)
    def fastpath(executable: Any, tree: Any, arguments: Any, *rest: Any, **named: Any) -> Any:
        data = prepare(executable, tree, arguments, *rest, **named)
        if data is None:
            return None
        launch = HOOKS.launch_of(executable.unsafe_call)
        if launch is None:
            return data
        try:
            return HOOKS.hooked(data, executable, arguments, launch)
        except Exception:  # then JAX launches from Python, where every launch is recorded
            return None

    @functools.wraps(ahead)
    def create_cpp_call(self: Any, *arguments: Any, **named: Any) -> Any:
        watched = isinstance(self.unsafe_call, pxla.ExecuteReplicated) and HOOKS.launch_of(self.unsafe_call)
        return None if watched else ahead(self, *arguments, **named)

    @functools.wraps(compile_module)
    def compile_and_remember(backend: Any, module: Any, devices: Any, *rest: Any, **named: Any) -> Any:
        executable = compile_module(backend, module, devices, *rest, **named)
        if not HOOKS.blind:
            try:
                executables.compiled(module, devices, executable)
            except Exception:  # its program is then not compared
                return executable
        return executable

    HOOKS.layout = type("LaunchLayout", (layout,), {"__module__": __name__})
    HOOKS.array = array
    pxla.ExecuteReplicated.__call__ = begin
    pjit._get_fastpath_data = fastpath
    pxla.MeshExecutable.create_cpp_call = create_cpp_call
    compiler.compile_or_get_cached = compile_and_remember
    HOOKS.installed = True
    return ""
