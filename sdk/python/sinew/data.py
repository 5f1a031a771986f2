# SPDX-License-Identifier: Apache-2.0
"""Simulations."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _tables
from . import engine as engines
from ._library import (NULL, InvalidError, NotFound, Owner, SimulationWarning, call, check_kind,
                       exception, ffi, has_raised, lib, text, warn)
from .fields import DTYPES, DataFields, address_of, copied, look_up, numbers, out, view
from .model import REFRESHED, Model, state_mask
from .names import DataNames, find

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .rendering import Camera

CONTACT = np.dtype([(name[len("contact_"):], DTYPES[row[0]],
                     () if row[2] == "1" else (int(row[2]),))
                    for name, row in _tables.STEP.items() if name.startswith("contact_")])
STATE = _tables.ENUMS["STATE"]
PLUGIN = text(lib.sn_data_warning_name(lib.SN_WARN_PLUGIN))
ONE = 1
_step = lib.py_step_one


IN_USE = {lib.PY_BUSY: "another thread uses this simulation; each thread needs one of its own",
          lib.PY_NESTED: "this simulation is within a step, which has called the plugin that uses "
                         "it; a plugin must use its arguments m and d",
          lib.PY_REFRESH: REFRESHED}


class _Use:
    """Reserves a simulation for the calling thread."""

    __slots__ = ("simulation",)

    def __init__(self, simulation):
        self.simulation = simulation

    def __enter__(self):
        status = lib.py_enter(self.simulation)
        if status < 0:
            raise RuntimeError(IN_USE[status])

    def __exit__(self, *_):
        lib.py_leave(self.simulation)
        return False


def contacts(look_up):
    """The contacts as a structured array. look_up(name, row): where a field of a step is."""
    found = {name: look_up(f"contact_{name}", _tables.STEP[f"contact_{name}"])
             for name in CONTACT.names}
    made = np.zeros(found["dist"][1][0], CONTACT)
    for name, (pointer, shape) in found.items():
        made[name] = copied(pointer, shape, CONTACT[name].base)
    return made


def warning_counts(pointer):
    """The warnings of a simulation since the last reset."""
    counts = ((index, lib.sn_data_warning_count(pointer, index))
              for index in range(lib.SN_NWARNINGS))
    return {text(lib.sn_data_warning_name(index)): count for index, count in counts if count}


def check_owner(model, data):
    """Rejects a simulation of another model: its memory has other sizes."""
    if isinstance(model, Data) and isinstance(data, Model):
        raise TypeError("the model comes first, and then the simulation")
    check_kind(model, Model)
    check_kind(data, Data)
    if data._model._owner is not model._owner:
        raise InvalidError("the simulation belongs to another model; a copy of a model is another "
                           "one")


class Data(DataFields, DataNames):
    """A simulation of a model: its state, its inputs, and what a step computed.

    State and inputs (qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, mocap_pos ...), and qacc,
    which `inverse` reads, are arrays to write to: d.ctrl[0] = 1, d.qpos = q. The other arrays of
    constant size are read-only views, always of the latest step. Contacts, constraint rows and
    other arrays whose length changes are copies. Arrays stay valid when the simulation is gone.

    One thread at a time may use a simulation; another one gets a RuntimeError. Steps release the
    interpreter's lock.
    """

    def __init__(self, model: Model):
        check_kind(model, Model)
        with model._users:
            self._adopt(model, call(lib.sn_data_new, model._owner.pointer))

    def _adopt(self, model, pointer):
        simulation = ffi.new("py_simulation *", {"model": model._owner.pointer, "data": pointer})
        self._simulation = simulation
        self._owner = Owner(pointer, lib.sn_data_free, model._owner, simulation)
        self._use = _Use(simulation)
        self._model = model
        model._users.simulations.add(simulation)

    def _view(self, name, row, writable):
        pointer, shape = self._look_up(name, row)
        return view(self._owner, address_of(pointer), DTYPES[row[0]], shape, writable)

    def _look_up(self, name, row):
        return look_up(lib.sn_data_field, self._model._owner.pointer, self._owner.pointer,
                       name=name, row=row)

    def _copy(self, name, row):
        with self._use:
            pointer, shape = self._look_up(name, row)
            return copied(pointer, shape, DTYPES[row[0]])

    def _run(self, function, *arguments):
        """Calls a function (model, data, ...) that returns a status."""
        with self._use:
            status = function(self._model._owner.pointer, self._owner.pointer, *arguments)
            news = lib.snd_nwarning(self._owner.pointer) != self._simulation.nwarning
        if status < 0 or news or has_raised():
            self._report(status)

    def _report(self, status):
        """Raises or warns of what happened in a step."""
        if status in IN_USE:
            raise RuntimeError(IN_USE[status])
        before, after = self._seen, self.warnings
        if has_raised() or (status < 0 and status != lib.SN_EDIVERGED):
            known = after.get(PLUGIN, 0)   # the exception says it, not a warning after it
            self._simulation.nwarning += known - before.get(PLUGIN, 0)
            object.__setattr__(self, "_counts", {**before, PLUGIN: known})
            engines.latest_message(PLUGIN)
            raise exception(status, lib.sn_data_error(self._owner.pointer))
        self._simulation.nwarning = self.nwarning
        object.__setattr__(self, "_counts", after)
        for name, count in after.items():
            if count > before.get(name, 0):
                message = engines.latest_message(name) or f"{name}, at time {self.time:.6g}"
                warn(f"{message} ({count} since the last reset)", SimulationWarning)

    @property
    def _seen(self):
        return self.__dict__.get("_counts", {})

    # ------------------------------------------------------------ steps

    def step(self, n: int = 1) -> None:
        """Makes n time steps. A simulation that diverges is reset, with a SimulationWarning."""
        if n is ONE:   # the usual case; 1.0 is not one
            status = _step(self._simulation)
            if status:
                self._report(status)
        else:
            self._go_on(n)

    def _go_on(self, n):
        """Steps in parts, so that signals are handled between them."""
        n = operator.index(n)
        if n < 1:
            raise InvalidError(f"the number of steps must be positive, not {n}")
        while n > 0:
            status = lib.py_step(self._simulation, n)
            if status:
                self._report(status)
            n -= self._simulation.done

    def forward(self) -> None:
        """Forward dynamics: computes everything at the current state, without advancing time."""
        self._run(lib.sn_forward)

    def forward_position(self) -> None:
        """The stages that depend on qpos only."""
        self._run(lib.sn_forward_position)

    def forward_velocity(self) -> None:
        """After forward_position: the stages that depend on qvel."""
        self._run(lib.sn_forward_velocity)

    def inverse(self, qacc: Optional[ArrayLike] = None) -> np.ndarray:
        """Inverse dynamics: the forces (nv) that explain qacc at qpos, qvel. Returns
        qfrc_inverse."""
        if qacc is not None:
            self.qacc = qacc
        self._run(lib.sn_inverse)
        return self.qfrc_inverse

    def body_forces(self) -> None:
        """Computes cacc, cfrc_int and cfrc_ext."""
        self._run(lib.sn_body_forces)

    def subtree_velocities(self) -> None:
        """Computes subtree_linvel and subtree_angmom."""
        self._run(lib.sn_subtree_velocities)

    def compute_energy(self) -> np.ndarray:
        """Computes and returns the energy: potential, kinetic; J."""
        self._run(lib.sn_compute_energy)
        return self.energy

    def reset(self, key: Union[None, int, str] = None) -> None:
        """Resets the state, to a keyframe by name or number if one is given."""
        if key is None:
            self._run(lib.sn_reset)
        else:
            self._run(lib.sn_reset_key, self._model.key(key).id)
        self._simulation.nwarning = 0
        object.__setattr__(self, "_counts", {})

    # ------------------------------------------------------------ what it has

    @property
    def model(self) -> Model:
        """The model."""
        return self._model

    @property
    def contacts(self) -> np.ndarray:
        """The contacts as a structured array, a copy: d.contacts["dist"], d.contacts[0]["geom1"].
        """
        with self._use:
            return contacts(self._look_up)

    def contact_force(self, contact: int) -> np.ndarray:
        """Force (3, N) and torque (3, Nm) of a contact on its second geom, in the contact frame
        (normal, two tangents), after forward or step: an array (6). contact: from 0 to ncon - 1;
        NotFound otherwise. See sn_contact_force."""
        if not 0 <= operator.index(contact) < self.ncon:
            raise NotFound(f"there is no contact {contact}; the simulation has {self.ncon}",
                           "SN_ENOTFOUND")
        result, pointer = out(6)
        self._run(lib.sn_contact_force, contact, pointer)
        return result

    @property
    def warnings(self) -> dict[str, int]:
        """Warnings since the last reset: { "bad qacc": 1 }."""
        return warning_counts(self._owner.pointer)

    @property
    def solver_log(self) -> np.ndarray:
        """Statistics of each iteration of the solver in the latest step: a structured array."""
        count = ffi.new("int64_t *")
        with self._use:
            first = lib.sn_solver_log(self._owner.pointer, count)
            names = [name for name, _ in ffi.typeof("sn_iteration").fields if name != "reserved"]
            kinds = [(name, "f8" if name in ("improvement", "gradient", "lineslope") else "i4")
                     for name in names]
            return np.array([tuple(getattr(first[i], name) for name in names)
                             for i in range(count[0])], kinds)

    @property
    def memory(self) -> tuple[int, int]:
        """Bytes: (allocated, the most that steps used)."""
        total, used = ffi.new("int64_t *"), ffi.new("int64_t *")
        lib.sn_data_memory(self._owner.pointer, total, used)
        return total[0], used[0]

    # ------------------------------------------------------------ states

    def get_state(self, mask: int = STATE["INTEGRATION"]) -> np.ndarray:
        """The state as an array; mask: a sum of sinew.State, by default all that the next step
        depends on."""
        result, pointer = out(self._model.state_size(mask))
        with self._use:
            lib.sn_state_get(self._model._owner.pointer, self._owner.pointer, state_mask(mask),
                             pointer)
        return result

    def set_state(self, state: ArrayLike, mask: int = STATE["INTEGRATION"]) -> None:
        """Sets what get_state returned, of this or another simulation of the model."""
        _, pointer = numbers(state, self._model.state_size(mask), "state")
        self._run(lib.sn_state_set, mask, pointer)

    state = property(get_state, set_state, doc="Everything that the next step depends on.")

    def hash(self, mask: int = STATE["INTEGRATION"]) -> int:
        """A hash of every bit of the state."""
        with self._use:
            return lib.sn_state_hash(self._model._owner.pointer, self._owner.pointer,
                                     state_mask(mask))

    def copy(self) -> Data:
        """A simulation that continues with identical results."""
        made = Data(self._model)
        with self._use:
            status = lib.sn_data_copy(self._model._owner.pointer, made._owner.pointer,
                                      self._owner.pointer)
        if status < 0:
            raise exception(status, NULL, "sn_data_copy")
        made._simulation.nwarning = self._simulation.nwarning
        object.__setattr__(made, "_counts", dict(self._seen))
        return made

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def transfer(self, model: Model) -> Data:
        """A simulation of another model with the state of this one, as far as their elements have
        the same names; see sn_data_transfer."""
        made = Data.__new__(Data)
        with self._use, model._users:
            made._adopt(model, call(lib.sn_data_transfer, model._owner.pointer,
                                    self._model._owner.pointer, self._owner.pointer))
        return made

    def __reduce__(self):
        return _unpickle, (type(self), self._model, self.get_state())

    # ------------------------------------------------------------ images

    def _snapshot(self):
        """A simulation of its own with the same state, after forward: to be shown."""
        made = self.__dict__.get("_shown")
        if made is None:
            made = self._shown = Data(self._model)
        made.set_state(self.get_state())
        made.forward()
        return made

    def render(self, camera: Optional[Camera] = None, width: int = 640, height: int = 480, depth:
               bool = False, segment: bool = False, **show: Any) -> Any:
        """An image of the present state, without a screen: an array (height, width, 3) of bytes;
        with depth or segment a sinew.Image of rgb, depth and segment.

        camera: of the model, by name or number; None: the free camera, that looks at the whole
        model; a dict with lookat, distance, azimuth, elevation, and body: what it follows. depth:
        m along the viewing axis. segment: ids of geoms, -1 where nothing is, -2 for what is not a
        geom. show, hide: words of docs/rendering.md, such as "contact-force"; label, frame: a word;
        groups: {"geoms": (0, 1, 3)}. The state is evaluated in a simulation of its own; this one
        does not change.
        """
        from .rendering import Renderer
        renderer = self.__dict__.get("_renderer")
        if renderer is None:
            renderer = self._renderer = Renderer(self._model)
        return renderer.render(self._snapshot(), camera, width, height, depth, segment, **show)

    def image(self, sensor: Union[int, str]) -> np.ndarray:
        """The image of a camera sensor: draws it into sensordata, where steps leave it, and returns
        a copy: (height, width, 3), 0 to 1; (height, width) of depths, m, or ids of geoms.

        sensor: name or id; NotFound if there is none, InvalidError if it is not a camera sensor.
        What is drawn is what the latest step or forward has computed."""
        number = find(self._model, "sensor", sensor)
        shape = ffi.new("int32_t[3]")
        if lib.sn_camera_sensor_shape(self._model._owner.pointer, number, shape, shape + 1,
                                      shape + 2) < 0:
            raise InvalidError(f"image: the sensor '{sensor}' is not a camera sensor", "SN_EINVAL")
        cameras = self.__dict__.get("_cameras")
        if cameras is None:
            from .rendering import camera_sensors
            cameras = self._cameras = camera_sensors(self._model)
        with self._use:
            call(lib.sn_camera_sensors_draw, cameras.pointer, self._model._owner.pointer,
                 self._owner.pointer, number)
        at = self._model.sensor_adr[number]
        values = self.sensordata[at:at + self._model.sensor_dim[number]].copy()
        return values.reshape(tuple(shape) if shape[2] > 1 else tuple(shape)[:2])

    # ------------------------------------------------------------ Jacobians, matrices

    def jacobian(self, body: Union[int, str],
                 point: Optional[ArrayLike] = None) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians of a point of a body, after forward_position: a tuple of two arrays (3, nv).
        The first times qvel is the velocity of the point (m/s), the second the angular velocity
        of the body (rad/s), both along global axes.

        body: name or id; NotFound if there is none. point: 3 global coordinates (m), InvalidError
        if there are not 3; None: the center of mass of the body. See sn_jacobian."""
        number = find(self._model, "body", body)
        translation, jacp = out(3, self._model.nv)
        rotation, jacr = out(3, self._model.nv)
        if point is None:
            self._run(lib.sn_jacobian_com, jacp, jacr, number)
        else:
            _, at = numbers(point, 3, "point")
            self._run(lib.sn_jacobian, jacp, jacr, at, number)
        return translation, rotation

    def apply_force(self, body: Union[int, str], force: Optional[ArrayLike] = None, torque:
                    Optional[ArrayLike] = None, point: Optional[ArrayLike] = None) -> np.ndarray:
        """The generalized force (nv) of a force (3, N) and a torque (3, Nm), both along global
        axes, at a global point (3, m) of a body, after forward_position. It is returned, not
        applied: add it to qfrc_applied.

        body: name or id; NotFound if there is none. force, torque: None is zero. point: None: the
        center of mass. InvalidError: one of them has not 3 numbers. See sn_apply_force."""
        number = find(self._model, "body", body)
        point = self.xipos[number] if point is None else point
        parts = [NULL if value is None else numbers(value, 3, name)[1] for name, value in
                 (("force", force), ("torque", torque), ("point", point))]
        result, pointer = out(self._model.nv)
        self._run(lib.sn_apply_force, *parts, number, pointer)
        return result

    def multiply_inertia(self, x: ArrayLike) -> np.ndarray:
        """M x, after forward_position: an array (nv). InvalidError: x has not nv numbers."""
        _, pointer = numbers(x, self._model.nv, "x")
        result, to = out(self._model.nv)
        with self._use:
            lib.sn_multiply_inertia(self._model._owner.pointer, self._owner.pointer, pointer, to)
        return result

    def solve_inertia(self, x: ArrayLike) -> np.ndarray:
        """M^-1 x, after forward_position: an array (nv). InvalidError: x has not nv numbers."""
        result = np.array(numbers(x, self._model.nv, "x")[0])
        with self._use:
            lib.sn_solve_inertia(self._model._owner.pointer, self._owner.pointer,
                                 ffi.from_buffer("double[]", result, require_writable=True))
        return result

    def _full(self, function, rows):
        result, pointer = out(rows, self._model.nv)
        with self._use:
            function(self._model._owner.pointer, self._owner.pointer, pointer)
        return result

    def inertia(self) -> np.ndarray:
        """The inertia matrix M of the latest forward_position, forward or step: a symmetric array
        (nv, nv), with the armatures. Units: kg for degrees of freedom that are lengths, kg m^2 for
        angles, kg m between both."""
        return self._full(lib.sn_full_inertia, self._model.nv)

    def constraint_jacobian(self) -> np.ndarray:
        """The Jacobian (nefc x nv) of the constraint rows."""
        return self._full(lib.sn_full_constraint_jacobian, self.nefc)

    def actuator_moments(self) -> np.ndarray:
        """The moment arms (nu x nv)."""
        return self._full(lib.sn_full_actuator_moment, self._model.nu)

    def tendon_jacobian(self) -> np.ndarray:
        """The Jacobian (ntendon x nv) of the tendon lengths."""
        return self._full(lib.sn_full_tendon_jacobian, self._model.ntendon)

    def transition_fd(self, eps: float = 1e-6, centered: bool = True,
                      sensors: bool = False) -> tuple[np.ndarray, ...]:
        """Derivatives of a step by finite differences: (A, B), and with sensors (A, B, C, D).

        With n = 2 nv + na, the state x = (position in the tangent space, velocity, activation), the
        next state y, controls u and sensor values s: A = dy/dx (n, n), B = dy/du (n, nu),
        C = ds/dx (nsensordata, n), D = ds/du (nsensordata, nu), in SI units. eps: size of the
        perturbation, from 1e-12 to 1; InvalidError otherwise. centered: second order, at twice the
        cost. State and inputs are restored, also after an error; results such as xpos are not:
        forward computes them again. Diverged: the state is not finite or too large. An exception
        of a plugin in Python is raised again. See sn_transition_fd."""
        n = 2 * self._model.nv + self._model.na
        shapes = [(n, n), (n, self._model.nu)]
        if sensors:
            shapes += [(self._model.nsensordata, n), (self._model.nsensordata, self._model.nu)]
        made = [out(*shape) for shape in shapes]
        pointers = [pointer for _, pointer in made] + [NULL] * (4 - len(made))
        with self._use:
            status = lib.sn_transition_fd(self._model._owner.pointer, self._owner.pointer, eps,
                                          int(centered), *pointers)
        if status < 0 or has_raised():
            raise exception(status, lib.sn_data_error(self._owner.pointer))
        return tuple(matrix for matrix, _ in made)

    # ------------------------------------------------------------ rays, distances

    def ray(self, origin: ArrayLike, direction: ArrayLike, groups: int = 0, static: bool = True,
            without: Union[None, int, str] = None) -> tuple[Optional[float], int]:
        """The first geom on a ray: (distance in multiples of direction, id of the geom), or
        (None, -1). without: a body whose geoms are left out. See sn_ray."""
        _, start = numbers(origin, 3, "origin")
        _, along = numbers(direction, 3, "direction")
        without = -1 if without in (None, -1) else find(self._model, "body", without)
        found, geom = ffi.new("double *"), ffi.new("int32_t *")
        with self._use:
            call(lib.sn_ray, self._model._owner.pointer, self._owner.pointer, start, along, groups,
                 int(static), without, found, geom)
        return (found[0], geom[0]) if found[0] >= 0 else (None, -1)

    def distance(self, geom1: Union[int, str], geom2: Union[int, str], limit: float = float("inf")
                 ) -> tuple[float, np.ndarray, np.ndarray]:
        """The signed distance of two geoms (m), after forward_position, and their nearest points
        (3 each, global, m): (distance, point 1, point 2). Negative: minus the penetration depth.

        geom1, geom2: names or ids; NotFound if there is none. limit: the largest distance that is
        searched for; where it is not below, it is the limit, and the points are zero. InvalidError:
        the limit is NaN. Unsupported: no collider supports the pair. See sn_geom_distance."""
        limit = min(limit, 1e10)
        first, second = self.geom(geom1).id, self.geom(geom2).id
        points, pointer = out(2, 3)
        found = ffi.new("double *")
        with self._use:
            status = lib.sn_geom_distance(self._model._owner.pointer, self._owner.pointer, first,
                                          second, limit, found, pointer)
        if status < 0:
            raise exception(status, lib.sn_data_error(self._owner.pointer))
        return found[0], points[0], points[1]

    def __repr__(self):
        return f"<sinew.Data of '{self._model.name}' at {self.time:.6g} s>"


def _unpickle(kind, model, state):
    made = kind(model)
    made.set_state(state)
    return made
