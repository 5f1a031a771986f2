// SPDX-License-Identifier: Apache-2.0
//
// The global settings of a model: physics, compiler, sizes, statistics, visualization. Names,
// meanings and defaults are those of MuJoCo's MJCF format
// (https://mujoco.readthedocs.io/en/stable/XMLreference.html) unless a comment says otherwise.
//
// These tables are the only list of the settings: structs, defaults, JSON, the binary file, the
// MJCF schema and the option `--set` of the command are generated from them.
//
//   R(name, count, default...)   a real number, or an array of up to 5
//   I(name, default)             an integer
//   T(name, default)             a string: the name of a provider, a sequence of axes, a folder

#ifndef SINEW_OPTIONS_H
#define SINEW_OPTIONS_H

#include "sinew/abi.h"
#include "sinew/enums.h"

// Physics and algorithms: element `option` of MJCF.
//
// sleep_tolerance: with SN_ENABLE_SLEEP, a tree may sleep when all its dofs are slower. The rate of
// a rotation, in rad/s, counts as the speed of the farthest point that it can move: it is
// multiplied by a bound of the distance to the geoms of the body and its descendants.
#define SN_OPTIONS(R, I, T)                                                                   \
  R(timestep, 1, 0.002)              /* s */                                                  \
  R(apirate, 1, 100)                 /* Hz, for remote applications */                        \
  R(impratio, 1, 1)                  /* ratio of frictional to normal impedance */            \
  R(tolerance, 1, 1e-8)              /* of the main solver, scaled as in solver.h */          \
  R(noslip_tolerance, 1, 1e-6)       /* of the post-solver `noslip` */                        \
  R(mpr_tolerance, 1, 1e-6)          /* of general convex collision, m */                     \
  R(gravity, 3, 0, 0, -9.81)         /* m/s^2 */                                              \
  R(wind, 3, 0, 0, 0)                /* m/s */                                                \
  R(magnetic, 3, 0, -0.5, 0)         /* global magnetic flux, for magnetometers */            \
  R(density, 1, 0)                   /* of the medium, kg/m^3 */                              \
  R(viscosity, 1, 0)                 /* of the medium, Pa s */                                \
  R(o_margin, 1, 0)                  /* of all contacts, with SN_ENABLE_OVERRIDE; m */        \
  R(o_solref, 2, 0.02, 1)            /* likewise */                                           \
  R(o_solimp, 5, 0.9, 0.95, 0.001, 0.5, 2)                                                    \
  R(memory, 1, 0)                    /* limit of the arena of a simulation, bytes; 0: none */ \
  I(collision, 0)                    /* SN_COLLISION_* */                                     \
  I(cone, 0)                         /* SN_CONE_* */                                          \
  I(jacobian, 2)                     /* SN_JACOBIAN_* */                                      \
  I(iterations, 100)                                                                          \
  I(noslip_iterations, 0)                                                                     \
  I(mpr_iterations, 50)                                                                       \
  I(disableflags, 0)                 /* SN_DISABLE_* */                                       \
  I(enableflags, 0)                  /* SN_ENABLE_* */                                        \
  T(solver, "newton")                                                                         \
  T(integrator, "euler")                                                                      \
  I(noise_seed, 0)                   /* seed of the sensor noise */                           \
  I(disableactuator, 0)              /* groups of actuators that are off: bit g for group g */  \
  R(bouncespeed, 1, 0.05)            /* smallest approach speed that bounces, m/s */           \
  I(inertia, 0)                      /* SN_INERTIA_*, for simulations created later */        \
  I(compatibility, 0)                /* SN_COMPATIBILITY_*, of compiling and of simulations */ \
  R(sleep_tolerance, 1, 1e-4)        /* speed below which a tree may sleep, m/s; see above */  \
  I(threads, 1)                      /* of each simulation created later; 0: all processors */

// The model compiler: element `compiler` of MJCF.
#define SN_COMPILER(R, I, T)                                                                  \
  R(boundmass, 1, 0)                                                                          \
  R(boundinertia, 1, 0)                                                                       \
  R(settotalmass, 1, -1)                                                                      \
  I(autolimits, 1)                   /* SN_AUTO: limited if a range is given */               \
  I(balanceinertia, 0)                                                                        \
  I(strippath, 0)                                                                             \
  I(global, 0)                       /* coordinates of the spec: 0 local, 1 global */         \
  I(degree, 0)                       /* angles of the spec: 0 radian, 1 degree */             \
  I(fitaabb, 0)                                                                               \
  I(discardvisual, 0)                                                                         \
  I(convexhull, 1)                                                                            \
  I(usethread, 1)                                                                             \
  I(fusestatic, 0)                                                                            \
  I(inertiafromgeom, 2)              /* 0 no, 1 yes, 2 auto */                                \
  I(inertiagroup_min, 0)                                                                      \
  I(inertiagroup_max, 5)                                                                      \
  I(exactmeshinertia, 0)                                                                      \
  T(eulerseq, "xyz")                                                                          \
  T(meshdir, "")                                                                              \
  T(texturedir, "")                                                                           \
  I(lr_mode, 1)                      /* SN_LENGTHRANGE_* */                                 \
  I(lr_useexisting, 1)                                                                        \
  I(lr_uselimit, 0)                                                                           \
  R(lr_accel, 1, 20)                                                                          \
  R(lr_maxforce, 1, 0)                                                                        \
  R(lr_timeconst, 1, 1)                                                                       \
  R(lr_timestep, 1, 0.01)                                                                     \
  R(lr_inttotal, 1, 10)                                                                       \
  R(lr_inteval, 1, 2)                                                                         \
  R(lr_tolrange, 1, 0.05)

// Sizes that a model specifies; -1: as large as the model needs. The memory of contacts and
// constraint rows grows as needed, so njmax, nconmax and nstack have no effect.
#define SN_SIZE_HINTS(R, I, T)                                                                \
  I(njmax, -1)                                                                                \
  I(nconmax, -1)                                                                              \
  I(nstack, -1)                                                                               \
  I(nuserdata, 0)                                                                             \
  I(nkey, 0)                                                                                  \
  I(nuser_body, -1)                                                                           \
  I(nuser_jnt, -1)                                                                            \
  I(nuser_geom, -1)                                                                           \
  I(nuser_site, -1)                                                                           \
  I(nuser_cam, -1)                                                                            \
  I(nuser_tendon, -1)                                                                         \
  I(nuser_actuator, -1)                                                                       \
  I(nuser_sensor, -1)

// Statistics: computed by the compiler, unless the spec sets them (NaN: not set).
#define SN_STATISTICS(R, I, T)                                                                \
  R(meaninertia, 1, SN_UNSET)                                                                 \
  R(meanmass, 1, SN_UNSET)                                                                    \
  R(meansize, 1, SN_UNSET)                                                                    \
  R(extent, 1, SN_UNSET)                                                                      \
  R(center, 3, SN_UNSET, SN_UNSET, SN_UNSET)

// Settings for viewers: element `visual` of MJCF. Attribute `fovy` of its element `global` is
// global_fovy.
#define SN_VISUAL(R, I, T)                                                                    \
  R(global_fovy, 1, 45)                                                                       \
  R(global_ipd, 1, 0.068)                                                                     \
  R(global_azimuth, 1, 90)                                                                    \
  R(global_elevation, 1, -45)                                                                 \
  R(global_linewidth, 1, 1)                                                                   \
  R(global_glow, 1, 0.3)                                                                      \
  I(global_offwidth, 640)                                                                     \
  I(global_offheight, 480)                                                                    \
  I(quality_shadowsize, 4096)                                                                 \
  I(quality_offsamples, 4)                                                                    \
  I(quality_numslices, 28)                                                                    \
  I(quality_numstacks, 16)                                                                    \
  I(quality_numquads, 4)                                                                      \
  R(headlight_ambient, 3, 0.1, 0.1, 0.1)                                                      \
  R(headlight_diffuse, 3, 0.4, 0.4, 0.4)                                                      \
  R(headlight_specular, 3, 0.5, 0.5, 0.5)                                                     \
  I(headlight_active, 1)                                                                      \
  R(map_stiffness, 1, 100)                                                                    \
  R(map_stiffnessrot, 1, 500)                                                                 \
  R(map_force, 1, 0.005)                                                                      \
  R(map_torque, 1, 0.1)                                                                       \
  R(map_alpha, 1, 0.3)                                                                        \
  R(map_fogstart, 1, 3)                                                                       \
  R(map_fogend, 1, 10)                                                                        \
  R(map_znear, 1, 0.01)                                                                       \
  R(map_zfar, 1, 50)                                                                          \
  R(map_haze, 1, 0.3)                                                                         \
  R(map_shadowclip, 1, 1)                                                                     \
  R(map_shadowscale, 1, 0.6)                                                                  \
  R(map_actuatortendon, 1, 2)                                                                 \
  R(scale_forcewidth, 1, 0.1)                                                                 \
  R(scale_contactwidth, 1, 0.3)                                                               \
  R(scale_contactheight, 1, 0.1)                                                              \
  R(scale_connect, 1, 0.2)                                                                    \
  R(scale_com, 1, 0.4)                                                                        \
  R(scale_camera, 1, 0.3)                                                                     \
  R(scale_light, 1, 0.3)                                                                      \
  R(scale_selectpoint, 1, 0.2)                                                                \
  R(scale_jointlength, 1, 1)                                                                  \
  R(scale_jointwidth, 1, 0.1)                                                                 \
  R(scale_actuatorlength, 1, 0.7)                                                             \
  R(scale_actuatorwidth, 1, 0.2)                                                              \
  R(scale_framelength, 1, 1)                                                                  \
  R(scale_framewidth, 1, 0.1)                                                                 \
  R(scale_constraint, 1, 0.1)                                                                 \
  R(scale_slidercrank, 1, 0.2)                                                                \
  R(rgba_fog, 4, 0, 0, 0, 1)                                                                  \
  R(rgba_haze, 4, 1, 1, 1, 1)                                                                 \
  R(rgba_force, 4, 1, 0.5, 0.5, 1)                                                            \
  R(rgba_inertia, 4, 0.8, 0.2, 0.2, 0.6)                                                      \
  R(rgba_joint, 4, 0.2, 0.6, 0.8, 1)                                                          \
  R(rgba_actuator, 4, 0.2, 0.25, 0.2, 1)                                                      \
  R(rgba_actuatornegative, 4, 0.2, 0.6, 0.9, 1)                                               \
  R(rgba_actuatorpositive, 4, 0.9, 0.4, 0.2, 1)                                               \
  R(rgba_com, 4, 0.9, 0.9, 0.9, 1)                                                            \
  R(rgba_camera, 4, 0.6, 0.9, 0.6, 1)                                                         \
  R(rgba_light, 4, 0.6, 0.6, 0.9, 1)                                                          \
  R(rgba_selectpoint, 4, 0.9, 0.9, 0.1, 1)                                                    \
  R(rgba_connect, 4, 0.2, 0.2, 0.8, 1)                                                        \
  R(rgba_contactpoint, 4, 0.9, 0.6, 0.2, 1)                                                   \
  R(rgba_contactforce, 4, 0.7, 0.9, 0.9, 1)                                                   \
  R(rgba_contactfriction, 4, 0.9, 0.8, 0.4, 1)                                                \
  R(rgba_contacttorque, 4, 0.9, 0.7, 0.9, 1)                                                  \
  R(rgba_contactgap, 4, 0.5, 0.8, 0.9, 1)                                                     \
  R(rgba_rangefinder, 4, 1, 1, 0.1, 1)                                                        \
  R(rgba_constraint, 4, 0.9, 0, 0, 1)                                                         \
  R(rgba_slidercrank, 4, 0.5, 0.3, 0.8, 1)                                                    \
  R(rgba_crankbroken, 4, 0.9, 0, 0, 1)

// One struct for each table: sn_option, sn_compiler, sn_size_hint, sn_statistic, sn_visual.
enum { SN_NAME_MAX = 64 };   // bytes of a string in these structs, including the zero at its end
#define SN_SETTING_REALS_1(name) double name;
#define SN_SETTING_REALS_2(name) double name[2];
#define SN_SETTING_REALS_3(name) double name[3];
#define SN_SETTING_REALS_4(name) double name[4];
#define SN_SETTING_REALS_5(name) double name[5];
#define SN_SETTING_REAL(name, count, ...) SN_SETTING_REALS_##count(name)
#define SN_SETTING_INT(name, value) int64_t name;
#define SN_SETTING_TEXT(name, value) char name[SN_NAME_MAX];
#define SN_SETTINGS_STRUCT(type, TABLE) \
  typedef struct type { uint32_t def_size; int32_t reserved0; \
    TABLE(SN_SETTING_REAL, SN_SETTING_INT, SN_SETTING_TEXT) } type

SN_SETTINGS_STRUCT(sn_option, SN_OPTIONS);
SN_SETTINGS_STRUCT(sn_compiler, SN_COMPILER);
SN_SETTINGS_STRUCT(sn_size_hint, SN_SIZE_HINTS);
SN_SETTINGS_STRUCT(sn_statistic, SN_STATISTICS);
SN_SETTINGS_STRUCT(sn_visual, SN_VISUAL);

#endif
