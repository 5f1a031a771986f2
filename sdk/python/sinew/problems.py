# SPDX-License-Identifier: Apache-2.0
"""Constraint problems: saved, and solved again by any solver without their model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import engine as engines
from ._library import (InvalidError, Lock, Owner, call, encode, encode_path, ffi, lib, locked,
                       structure)
from .fields import out

if TYPE_CHECKING:
    from .data import Data

    Path = Union[str, os.PathLike]


class Problem:
    """One problem of a set: minimize over a  1/2 (a - a0)' M (a - a0) + s(J a - aref); see
    sinew/solver.h. Arrays are copies."""

    SIZES = {"qacc_smooth": "nv", "qfrc_smooth": "nv", "qacc_start": "nv", "type": "nefc",
             "D": "nefc", "R": "nefc", "aref": "nefc", "frictionloss": "nefc"}

    def __init__(self, problems, pointer):
        self._problems, self._lent = problems, pointer
        self.nv, self.nefc = pointer.nv, pointer.nefc
        self.ne, self.nf, self.ncone = pointer.ne, pointer.nf, pointer.ncone

    @property
    def _pointer(self):
        if self._lent is None:
            raise InvalidError("the problem of a plugin is valid during its call only")
        return self._lent

    def __getattr__(self, name):
        if name not in self.SIZES:
            raise AttributeError(f"a problem has no '{name}'")
        return np.array(ffi.unpack(getattr(self._pointer, name), getattr(self, self.SIZES[name])))

    @property
    def J(self) -> np.ndarray:
        """The Jacobian, nefc x nv."""
        made, sparse = np.zeros((self.nefc, self.nv)), self._pointer.J
        for row in range(self.nefc):
            for k in range(sparse.nnz[row]):
                made[row, sparse.col[sparse.adr[row] + k]] = sparse.val[sparse.adr[row] + k]
        return made

    def solve(self, solver: str, engine: Optional[engines.Engine] = None) -> dict[str, Any]:
        """Solves it with the solver of this name. Returns a dict: status (1: not converged), qacc,
        force, state, iterations, nsoftened (contacts that the solver made softer), cost, residual
        (of both optimality conditions) and coulomb (the same for Coulomb's law; see
        sn_problem_evaluate_coulomb)."""
        engine = engine or engines.current()
        qacc, to_qacc = out(self.nv)
        force, to_force = out(self.nefc)
        state = np.zeros(self.nefc, np.int32)
        solution = structure("sn_solution", qacc=to_qacc, force=to_force,
                             state=ffi.from_buffer("int32_t[]", state))
        status = call(lib.sn_problem_solve, engine._owner.pointer, encode(solver), self._pointer,
                      solution)
        cost, residual = ffi.new("double *"), ffi.new("double[2]")
        coulomb = ffi.new("double[2]")
        lib.sn_problem_evaluate(self._pointer, solution, cost, residual)
        lib.sn_problem_evaluate_coulomb(self._pointer, solution, coulomb)
        return {"status": status, "qacc": qacc, "force": force, "state": state,
                "iterations": solution.iterations, "nsoftened": solution.nsoftened,
                "cost": cost[0], "residual": list(residual),
                "coulomb": list(coulomb)}

    def __repr__(self):
        return f"<problem: {self.nv} dofs, {self.nefc} rows>"


class Problems:
    """A set of problems: p = sinew.Problems(); p.add(d); p.save("a.problems"). Threads may share
    it; they wait for each other."""

    def __init__(self, path: Optional[Path] = None):
        pointer = call(lib.sn_problems_new) if path is None else call(lib.sn_problems_load,
                                                                      encode_path(path))
        self._owner = Owner(pointer, lib.sn_problems_free)
        self._lock = Lock()

    def add(self, data: Data) -> None:
        """Adds the problem of a simulation's constraints at its state, after forward."""
        with data._use, self._lock:
            call(lib.sn_problems_add, self._owner.pointer, data._model._owner.pointer,
                 data._owner.pointer)

    @locked
    def save(self, path: Path) -> None:
        """Writes a file."""
        call(lib.sn_problems_save, self._owner.pointer, encode_path(path))

    @locked
    def __len__(self) -> int:
        return lib.sn_problems_count(self._owner.pointer)

    @locked
    def __getitem__(self, index: int) -> Problem:
        index = range(len(self))[index]
        return Problem(self._owner, lib.sn_problems_at(self._owner.pointer, index))
