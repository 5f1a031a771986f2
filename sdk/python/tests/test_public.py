# SPDX-License-Identifier: Apache-2.0
"""Every public name has a docstring, and every public function has annotations."""

import inspect
import re

import pytest
import sinew
from sinew import _library, _tables
from sinew.fields import Field, Number, Scalar, StepField

MODULES = [sinew, sinew.envs]
# what enums and named tuples inherit, and what Gymnasium's classes have
STANDARD = (int, tuple, Exception)
# methods of each kind of element, whose annotations are in the stubs (_attributes.pyi)
GENERATED = re.compile(rf"((add_)?({'|'.join(_tables.SPEC)})$|_settings_property\.)")


def named(module):
    return [(f"{module.__name__}.{name}", getattr(module, name)) for name in module.__all__]


def members(name, owner):
    """The public members that a class of the package defines or inherits from the package."""
    for key in dir(owner):
        if not key.startswith("_"):
            found = inspect.getattr_static(owner, key)
            home = next(c for c in owner.__mro__ if key in c.__dict__)
            if home.__module__.split(".")[0] == "sinew" and not issubclass(owner, STANDARD):
                yield f"{name}.{key}", found


def everything():
    found = []
    for module in MODULES:
        for name, value in named(module):
            found.append((name, value))
            if inspect.isclass(value):
                found += members(name, value)
    return found


def function_of(value):
    if isinstance(value, property):
        return value.fget
    if isinstance(value, (classmethod, staticmethod)):
        return value.__func__
    return value if inspect.isfunction(value) else None


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_all_names_are_there(module):
    assert len(set(module.__all__)) == len(module.__all__)
    for name, value in named(module):
        assert value is not None, name


def test_docstrings():
    missing = [name for name, value in everything()
               if (callable(value) or inspect.ismodule(value) or function_of(value)
                   or isinstance(value, (Field, Scalar, StepField, Number)))
               and not inspect.getdoc(value)]
    assert not missing


def unannotated(name, function):
    signature = inspect.signature(function)
    missing = [f"{name}({key})" for key, parameter in list(signature.parameters.items())
               if parameter.annotation is parameter.empty and key not in ("self", "cls")]
    if signature.return_annotation is signature.empty and not name.endswith("__init__"):
        missing.append(f"{name} ->")
    return missing


def test_annotations():
    missing = []
    for name, value in everything():
        if inspect.isclass(value) and value.__module__.startswith("sinew"):
            value, name = value.__dict__.get("__init__"), name + ".__init__"
        function = function_of(value)
        if function is not None and not GENERATED.match(function.__qualname__):
            missing += unannotated(name, inspect.unwrap(function))
    assert not missing


def test_errors_are_what_they_say():
    for name, kind in _library.CLASSES.items():
        assert f"SN_{name}" in kind.__doc__ and issubclass(kind, sinew.Error)
