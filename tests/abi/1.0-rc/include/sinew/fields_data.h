// SPDX-License-Identifier: Apache-2.0
//
// Every array of a simulation. The accessors, the documents and Python are generated from this
// list, and those of models from fields_model.h. The states of passive forces, controllers and
// integrators have no field: they are part of SN_STATE_PLUGIN.
//
//   SN_DATA_COUNTS(X)    X(name, stage, meaning)
//   SN_DATA_FIELDS(X)    X(type, name, rows, cols, stage, unit, meaning)   of constant size
//   SN_STEP_FIELDS(X)    X(type, name, rows, cols, stage, unit, meaning)   of variable size: rows
//                        is a count, and the address changes from step to step
//
// `stage` is the stage of a step that computes the field, one of those in sinew/timing.h. "input":
// written by the user; "state": written by the user, and by the integration at the end of a step;
// "any": written by every stage. In sn_inverse, stage "inverse" computes efc_force, efc_state and
// qfrc_constraint instead of stage "solve".
// Fields cdof, cinert, cvel, cacc, cfrc_* are spatial quantities [rotation; translation] in global
// axes, with the origin at the center of mass of the kinematic tree (subtree_com of body_rootid).
// Positions are global, in meters. Quaternions are w x y z; they and the 3 x 3 matrices, stored row
// by row, convert from the frame of the element to the global frame.
//
// Joints in qpos and qvel: free, position and quaternion, and the linear velocity in global axes
// followed by the angular velocity in the axes of the body; ball, quaternion, and the angular
// velocity in the axes of the body; slide, m and m/s; hinge, rad and rad/s.
//
// A unit "mixed" depends on the element: a joint that slides or turns, a transmission, a sensor.
// "" is dimensionless.

#ifndef SINEW_FIELDS_DATA_H
#define SINEW_FIELDS_DATA_H

#define SN_DATA_COUNTS(X)                                                                       \
  X(ncon, "collide", "contacts")                                                                \
  X(ne, "constraint", "equality rows")                                                          \
  X(nf, "constraint", "friction-loss rows")                                                     \
  X(nl, "constraint", "limit rows")                                                             \
  X(nefc, "constraint", "scalar constraints: rows of efc_J")                                    \
  X(nJ, "constraint", "nonzeros of efc_J")                                                      \
  X(ncone, "constraint", "elliptic contacts")                                                   \
  X(nblock, "constraint", "blocks of consecutive rows with nonzeros in the same columns")         \
  X(nisland, "island", "islands of the constraint problem")                                     \
  X(solver_iter, "solve", "iterations of the solver, the maximum of all islands")               \
  X(nunconverged, "solve", "islands whose solver did not converge")                             \
  X(nsoftened, "solve", "contacts that the solver made softer than specified")         \
  X(nwarning, "any", "warnings since the last reset")

#define SN_DATA_FIELDS(X)                                                                       \
  /* the state */                                                                               \
  X(real, time, one, 1, "state", "s", "time")                                                   \
  X(real, qpos, nq, 1, "state", "m, rad",                                                       \
    "joint positions; free: position, quaternion; ball: quaternion")                            \
  X(real, qvel, nv, 1, "state", "m/s, rad/s",                                                   \
    "joint velocities; free: linear (global), angular (body axes); ball: angular (body axes)")  \
  X(real, act, na, 1, "state", "mixed", "activations")                                          \
  X(real, qacc_warmstart, nv, 1, "state", "m/s^2, rad/s^2",                                     \
    "acceleration that the solver starts from")                                                 \
  X(real, sensor_state, nsensorstate, 1, "state, sensors", "mixed", "state that sensors keep")  \
  /* inputs */                                                                                  \
  X(real, ctrl, nu, 1, "input", "mixed", "controls")                                            \
  X(real, qfrc_applied, nv, 1, "input", "N, N m", "applied generalized forces")                 \
  X(real, xfrc_applied, nbody, 6, "input", "N, N m",                                            \
    "applied force, torque at the center of "                                                   \
    "mass, global axes")                                                                        \
  X(int, eq_enabled, neq, 1, "input", "", "equality constraints that are active")               \
  X(real, mocap_pos, nmocap, 3, "input", "m", "positions of mocap bodies")                      \
  X(real, mocap_quat, nmocap, 4, "input, kinematics", "",                                       \
    "orientations of mocap bodies, normalized by stage kinematics")                             \
  X(real, userdata, nuserdata, 1, "input", "", "values for the user's own purposes")            \
  /* results */                                                                                 \
  X(int, body_asleep, nbody, 1, "sleep", "", "1: asleep, 0: awake")                             \
  X(real, qacc, nv, 1, "solve", "m/s^2, rad/s^2", "accelerations")                              \
  X(real, act_dot, na, 1, "actuation", "mixed", "rates of the activations, per second")         \
  X(real, sensordata, nsensordata, 1, "sensors", "mixed", "sensor values")                      \
  X(real, energy, two, 1, "energy", "J", "potential, kinetic")                                  \
  /* position */                                                                                \
  X(real, xpos, nbody, 3, "kinematics", "m", "body positions")                                  \
  X(real, xquat, nbody, 4, "kinematics", "", "body orientations, quaternions")                  \
  X(real, xmat, nbody, 9, "kinematics", "", "body orientations, matrices")                      \
  X(real, xipos, nbody, 3, "kinematics", "m", "centers of mass of the bodies")                  \
  X(real, ximat, nbody, 9, "kinematics", "", "principal axes of the bodies, matrices")          \
  X(real, xanchor, njnt, 3, "kinematics", "m", "joint anchors")                                 \
  X(real, xaxis, njnt, 3, "kinematics", "", "joint axes")                                       \
  X(real, geom_xpos, ngeom, 3, "kinematics", "m", "geom positions")                             \
  X(real, geom_xmat, ngeom, 9, "kinematics", "", "geom orientations, matrices")                 \
  X(real, site_xpos, nsite, 3, "kinematics", "m", "site positions")                             \
  X(real, site_xmat, nsite, 9, "kinematics", "", "site orientations, matrices")                 \
  X(real, cam_xpos, ncam, 3, "camlight", "m", "camera positions")                               \
  X(real, cam_xmat, ncam, 9, "camlight", "", "camera orientations, matrices")                   \
  X(real, light_xpos, nlight, 3, "camlight", "m", "light positions")                            \
  X(real, light_xdir, nlight, 3, "camlight", "", "light directions")                            \
  X(real, subtree_com, nbody, 3, "com", "m", "centers of mass of the subtrees")                 \
  X(real, cdof, nv, 6, "com", "", "motion axes")                                                \
  X(real, cinert, nbody, 10, "com", "mixed",                                                    \
    "inertia: xx yy zz xy xz yz, mass times offset, mass")                                      \
  X(int, ten_wrapadr, ntendon, 1, "tendon", "", "first point of the path")                      \
  X(int, ten_wrapnum, ntendon, 1, "tendon", "", "points of the path")                           \
  X(int, ten_J_rownnz, ntendon, 1, "tendon", "", "nonzeros in the row of ten_J")                \
  X(int, ten_J_rowadr, ntendon, 1, "tendon", "", "index of the first entry of the row")         \
  X(int, ten_J_colind, ntenJ, 1, "tendon", "", "columns")                                       \
  X(real, ten_J, ntenJ, 1, "tendon", "", "tendon Jacobian")                                     \
  X(real, ten_length, ntendon, 1, "tendon", "m", "tendon lengths")                              \
  X(int, wrap_obj, nwrap, 2, "tendon", "", "geom wrapped; -1: site, -2: pulley")                \
  X(real, wrap_xpos, nwrap, 6, "tendon", "m", "points of the paths, two per element")           \
  X(real, actuator_length, nu, 1, "transmission", "mixed", "actuator lengths")                  \
  X(int, actuator_moment_rownnz, nu, 1, "transmission", "",                                     \
    "nonzeros in the row of actuator_moment")                                                   \
  X(int, actuator_moment_rowadr, nu, 1, "transmission", "",                                     \
    "index of the first entry of the row")                                                      \
  X(int, actuator_moment_colind, nmoment, 1, "transmission", "", "columns")                     \
  X(real, actuator_moment, nmoment, 1, "transmission", "mixed", "moment arms")                  \
  X(real, crb, nbody, 10, "inertia", "mixed", "composite inertia, as cinert")                   \
  X(real, qM, nM, 1, "inertia", "kg, kg m, kg m^2",                                             \
    "inertia matrix; row i: dof i and its ancestors")                                           \
  X(real, qLD, nM, 1, "factor", "",                                                             \
    "factors L (unit diagonal) and D of qM = L' D L, in the layout of qM")                      \
  X(real, qLDiagInv, nv, 1, "factor", "", "1 / D")                                              \
  /* velocity */                                                                                \
  X(real, ten_velocity, ntendon, 1, "velocity", "m/s", "tendon velocities")                     \
  X(real, actuator_velocity, nu, 1, "velocity", "mixed", "actuator velocities")                 \
  X(real, cvel, nbody, 6, "comvel", "rad/s, m/s", "spatial velocities of the bodies")           \
  X(real, cdof_dot, nv, 6, "comvel", "", "rates of cdof")                                       \
  X(real, qfrc_bias, nv, 1, "rne", "N, N m", "Coriolis, centrifugal and gravitational forces")  \
  X(real, qfrc_passive, nv, 1, "passive", "N, N m", "passive forces")                           \
  X(real, qfrc_gravcomp, nv, 1, "passive", "N, N m",                                            \
    "gravity compensation, including that by actuators")                                        \
  X(real, subtree_linvel, nbody, 3, "subtree", "m/s",                                           \
    "velocities of the subtrees' centers of mass")                                              \
  X(real, subtree_angmom, nbody, 3, "subtree", "kg m^2/s", "angular momenta of the subtrees")   \
  /* acceleration and force */                                                                  \
  X(real, ctrl_effective, nu, 1, "control", "mixed",                                            \
    "ctrl after the controllers; zeros without controllers")                                    \
  X(real, qfrc_controller, nv, 1, "control", "N, N m", "forces of controllers")                 \
  X(real, actuator_force, nu, 1, "actuation", "N, N m", "actuator forces")                      \
  X(real, qfrc_actuator, nv, 1, "actuation", "N, N m", "actuator forces, generalized")          \
  X(real, qfrc_smooth, nv, 1, "smooth", "N, N m", "all forces but those of constraints")        \
  X(real, qacc_smooth, nv, 1, "smooth", "m/s^2, rad/s^2", "acceleration without constraints")   \
  X(real, qfrc_constraint, nv, 1, "solve", "N, N m", "constraint forces, generalized")          \
  X(real, qfrc_inverse, nv, 1, "inverse", "N, N m", "applied forces that produce qacc")         \
  X(real, cacc, nbody, 6, "rnepost", "rad/s^2, m/s^2",                                          \
    "spatial accelerations of the bodies, minus gravity")                                       \
  X(real, cfrc_int, nbody, 6, "rnepost", "N m, N", "force of the parent on the body")           \
  X(real, cfrc_ext, nbody, 6, "rnepost", "N m, N", "external force on the body")                \
  X(real, solver_fwdinv, two, 1, "inverse", "",                                                 \
    "norms of the differences of forward and inverse dynamics: "                                \
    "constraint force, applied force")

#define SN_STEP_FIELDS(X)                                                                       \
  X(real, contact_dist, ncon, 1, "collide", "m", "distance; negative: penetration")             \
  X(real, contact_pos, ncon, 3, "collide", "m", "midpoint between the surfaces")                \
  X(real, contact_frame, ncon, 9, "collide", "", "rows: normal from geom 1 to 2, two tangents") \
  X(real, contact_includemargin, ncon, 1, "collide", "m", "active below this distance")         \
  X(real, contact_friction, ncon, 5, "collide", "1, 1, m, m, m",                                \
    "friction: 2 sliding, torsional, 2 rolling")                                                \
  X(real, contact_solref, ncon, 2, "collide", "s, 1",                                           \
    "solver reference: time constant, damping ratio; negative: -stiffness, -damping")           \
  X(real, contact_solimp, ncon, 5, "collide", "mixed",                                          \
    "solver impedance: smallest, largest, width (m), midpoint, power")                          \
  X(real, contact_velocity, ncon, 5, "collide", "m/s, rad/s",                                   \
    "velocity of geom 2 relative to geom 1 at which friction vanishes, in its directions")      \
  X(real, contact_restitution, ncon, 1, "collide", "", "coefficient of restitution")            \
  X(real, contact_mu, ncon, 1, "constraint", "", "friction of the regularized cone")            \
  X(int, contact_dim, ncon, 1, "collide", "",                                                   \
    "1: frictionless, 3: sliding, 4: torsional, 6: rolling")                                    \
  X(int, contact_geom1, ncon, 1, "collide", "", "first geom")                                   \
  X(int, contact_geom2, ncon, 1, "collide", "", "second geom")                                  \
  X(int, contact_feature, ncon, 1, "collide", "",                                               \
    "identifies the contact among those of its geoms, from step to step; 0: unknown")           \
  X(int, contact_exclude, ncon, 1, "collide", "", "0: active; 1: in the gap; 2: no dofs")       \
  X(int, contact_efc_address, ncon, 1, "constraint", "", "first row; -1: none")                 \
  X(int, efc_type, nefc, 1, "constraint", "", "SN_ROW_*")                                       \
  X(int, efc_id, nefc, 1, "constraint", "", "equality constraint, dof, tendon, joint or contact")\
  X(int, efc_J_rownnz, nefc, 1, "constraint", "", "nonzeros in the row")                        \
  X(int, efc_J_rowadr, nefc, 1, "constraint", "", "index of the first entry of the row")        \
  X(int, efc_J_colind, nJ, 1, "constraint", "", "columns")                                      \
  X(real, efc_J, nJ, 1, "constraint", "", "constraint Jacobian, sparse rows")                   \
  X(real, efc_pos, nefc, 1, "constraint", "m, rad",                                             \
    "residual of an equality; distance to a limit or of a contact; 0: friction loss")           \
  X(real, efc_margin, nefc, 1, "constraint", "m, rad", "active where efc_pos is less")          \
  X(real, efc_velref, nefc, 1, "constraint", "m/s, rad/s", "prescribed value of efc_vel")       \
  X(real, efc_frictionloss, nefc, 1, "constraint", "N, N m", "largest friction-loss force")     \
  X(real, efc_diagApprox, nefc, 1, "constraint", "1/kg, 1/(kg m^2)",                            \
    "approximate diagonal of J M^-1 J'")                                                        \
  X(real, efc_KBIP, nefc, 4, "constraint", "1/s^2, 1/s, 1, mixed",                              \
    "stiffness, damping, impedance, its derivative")                                            \
  X(real, efc_D, nefc, 1, "constraint", "kg, kg m^2", "1 / R")                                  \
  X(real, efc_R, nefc, 1, "constraint", "1/kg, 1/(kg m^2)", "regularizer")                      \
  X(real, efc_vel, nefc, 1, "reference", "m/s, rad/s", "J qvel")                                \
  X(real, efc_aref, nefc, 1, "reference", "m/s^2, rad/s^2", "reference acceleration")           \
  X(real, efc_b, nefc, 1, "solve", "m/s^2, rad/s^2", "J qacc_smooth - aref")                    \
  X(real, efc_force, nefc, 1, "solve", "N, N m", "constraint forces")                           \
  X(int, efc_state, nefc, 1, "solve", "", "SN_ROWSTATE_*")                                      \
  X(int, efc_island, nefc, 1, "island", "", "island of the row")

#endif
