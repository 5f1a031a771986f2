// SPDX-License-Identifier: Apache-2.0
//
// Every array of a model. These tables are the only list of them: the struct, its memory, the
// binary file, the checks of models that are read or edited, JSON, the accessors and the fields
// that plugins resolve are generated from them. A field is added in one line.
//
//   SN_MODEL_SIZES(X)      X(name, what it counts)
//   SN_MODEL_FIELDS(X)     X(type, name, rows, cols, domain, unit, meaning)
//   SN_MODEL_ELEMENTS(X)   X(kind, size, prefix, also), SN_MODEL_PARTS: what belongs to an element
//
// type is real, int, byte or char. domain says which numbers are valid; the checks are made from
// it. For integers:
//
//   id(n)              index in [0, n), where n is a size listed in SN_MODEL_SIZES
//   adr(n)             offset in [0, n), the first of the rows that belong to an element
//   id_or_none(n)      as id(n), or -1 for none
//   adr_or_none(n)     as adr(n), or -1 for none
//   adr_of(num, n)     offset of the first of several rows; the field num contains how many; where
//                      that is 0, the offset is not checked
//   of(field)          index of an object whose kind is in another field; -1 for none, where that
//                      kind allows it
//   count              how many, 0 or more
//   count_from(least)
//   kind(count)        a value of an enumeration of enums.h: 0 or more, less than count
//   kind_from(least, count)
//   condim             dimensions of a contact: 1, 3, 4 or 6
//   flag               boolean: 0 is false, any other value is true
//   bits               a set of bits
//   any                a number without limits: groups, priorities, signatures
// For real numbers:
//   finite             neither infinite nor NaN
//   positive           finite and larger than 0
//   nonnegative        finite and not less than 0
//   direction          finite, and not all numbers of a row are 0: quaternions, axes
//   derived            computed by the compiler from other arrays; not checked, may be infinite
// For both:
//   other              depends on other arrays as described in `meaning`
//   bytes              bytes of strings and images
//
// Units are SI, angles in radians except where the unit is deg; "mixed" depends on the element or
// the column, "" is dimensionless.
// Frames: positions and orientations are relative to the owning body (bodies: to their parent),
// unless the meaning specifies otherwise. Names that end in 0 are quantities in the configuration
// qpos0.

#ifndef SINEW_FIELDS_MODEL_H
#define SINEW_FIELDS_MODEL_H

#define SN_MODEL_SIZES(X)                                                      \
  X(nq, "position coordinates")                                                \
  X(nv, "degrees of freedom")                                                  \
  X(nu, "actuators")                                                           \
  X(na, "activation states")                                                   \
  X(nbody, "bodies, the world included")                                       \
  X(njnt, "joints")                                                            \
  X(ngeom, "geoms")                                                            \
  X(nsite, "sites")                                                            \
  X(ncam, "cameras")                                                           \
  X(nlight, "lights")                                                          \
  X(nmesh, "meshes")                                                           \
  X(nmeshvert, "vertices of all meshes")                                       \
  X(nmeshtexvert, "texture coordinates of all meshes")                         \
  X(nmeshface, "triangles of all meshes")                                      \
  X(nmeshgraph, "integers of the hulls' vertex graphs")                        \
  X(nskin, "skins")                                                            \
  X(nskinvert, "vertices of all skins")                                        \
  X(nskintexvert, "texture coordinates of all skins")                          \
  X(nskinface, "triangles of all skins")                                       \
  X(nskinbone, "bones of all skins")                                           \
  X(nskinbonevert, "vertices of all bones")                                    \
  X(nhfield, "height fields")                                                  \
  X(nhfielddata, "heights of all height fields")                               \
  X(ntex, "textures")                                                          \
  X(ntexdata, "bytes of all textures")                                         \
  X(nmat, "materials")                                                         \
  X(npair, "explicit geom pairs")                                              \
  X(nexclude, "excluded body pairs")                                           \
  X(neq, "equality constraints")                                               \
  X(ntendon, "tendons")                                                        \
  X(nwrap, "elements of all tendon paths")                                     \
  X(nsensor, "sensors")                                                        \
  X(nnumeric, "custom numeric fields")                                         \
  X(nnumericdata, "numbers of all custom numeric fields")                      \
  X(ntext, "custom text fields")                                               \
  X(ntextdata, "bytes of all custom text fields, including terminating zeros") \
  X(ntuple, "custom tuples")                                                   \
  X(ntupledata, "objects of all custom tuples")                                \
  X(nkey, "keyframes")                                                         \
  X(nmocap, "mocap bodies")                                                    \
  X(nuser_body, "user values per body")                                        \
  X(nuser_jnt, "user values per joint")                                        \
  X(nuser_geom, "user values per geom")                                        \
  X(nuser_site, "user values per site")                                        \
  X(nuser_cam, "user values per camera")                                       \
  X(nuser_tendon, "user values per tendon")                                    \
  X(nuser_actuator, "user values per actuator")                                \
  X(nuser_sensor, "user values per sensor")                                    \
  X(nforce, "passive forces that are declared in the model")                   \
  X(nnames, "bytes of all names, including terminating zeros")                 \
  X(nM, "stored elements of the inertia matrix")                               \
  X(nmoment, "capacity of actuator_moment")                                    \
  X(ntenJ, "capacity of ten_J")                                                \
  X(nuserdata, "length of userdata")                                           \
  X(nsensordata, "length of sensordata")                                       \
  X(nsensorstate, "state variables of all sensors")

#define SN_MODEL_FIELDS(X)                                                                       \
  X(real, qpos0, nq, 1, finite, "m, rad",                                                        \
    "positions of the configuration in which the model is defined")                              \
  X(real, qpos_spring, nq, 1, finite, "m, rad", "positions at which springs are at rest")        \
  /* bodies */                                                                                   \
  X(int, body_parentid, nbody, 1, id(nbody), "", "parent body")                                  \
  X(int, body_rootid, nbody, 1, id(nbody), "",                                                   \
    "child of the world that the body descends from, or the body itself; the world: 0")          \
  X(int, body_weldid, nbody, 1, id(nbody), "",                                                   \
    "topmost body of the rigid group that contains the body; itself if it has joints")           \
  X(int, body_mocapid, nbody, 1, id_or_none(nmocap), "", "row of mocap_pos")                     \
  X(int, body_jntnum, nbody, 1, count, "", "number of joints")                                   \
  X(int, body_jntadr, nbody, 1, adr_of(body_jntnum, njnt), "", "index of the first joint")       \
  X(int, body_dofnum, nbody, 1, count, "", "number of degrees of freedom")                       \
  X(int, body_dofadr, nbody, 1, adr_of(body_dofnum, nv), "",                                     \
    "index of the first degree of freedom")                                                      \
  X(int, body_geomnum, nbody, 1, count, "", "number of geoms")                                   \
  X(int, body_geomadr, nbody, 1, adr_of(body_geomnum, ngeom), "", "index of the first geom")     \
  X(real, body_pos, nbody, 3, finite, "m", "position in the parent")                             \
  X(real, body_quat, nbody, 4, direction, "", "orientation in the parent")                       \
  X(real, body_ipos, nbody, 3, finite, "m", "center of mass")                                    \
  X(real, body_iquat, nbody, 4, direction, "", "principal axes of inertia")                      \
  X(real, body_mass, nbody, 1, nonnegative, "kg", "mass")                                        \
  X(real, body_subtreemass, nbody, 1, derived, "kg", "mass of the body and its descendants")     \
  X(real, body_inertia, nbody, 3, nonnegative, "kg m^2", "principal moments")                    \
  X(real, body_invweight0, nbody, 2, derived, "1/kg, 1/(kg m^2)",                                \
    "mean inverse inertia: translational, rotational")                                           \
  X(real, body_gravcomp, nbody, 1, finite, "", "fraction of gravity that is compensated")        \
  X(real, body_user, nbody, nuser_body, finite, "mixed", "user values")                          \
  X(int, body_sleep, nbody, 1, kind(SN_NSLEEPPOLICIES), "", "sleep policy, SN_SLEEP_*")          \
  /* joints */                                                                                   \
  X(int, jnt_type, njnt, 1, kind(SN_NJOINTTYPES), "", "SN_JOINT_*")                              \
  X(int, jnt_qposadr, njnt, 1, adr(nq), "", "first position coordinate")                         \
  X(int, jnt_dofadr, njnt, 1, adr(nv), "", "first degree of freedom")                            \
  X(int, jnt_bodyid, njnt, 1, id(nbody), "", "owner")                                            \
  X(int, jnt_group, njnt, 1, any, "", "visibility group")                                        \
  X(int, jnt_limited, njnt, 1, flag, "", "has limits")                                           \
  X(real, jnt_solref, njnt, 2, finite, "s, 1", "limit: solref")                                  \
  X(real, jnt_solimp, njnt, 5, finite, "mixed", "limit: solimp")                                 \
  X(real, jnt_pos, njnt, 3, finite, "m", "anchor")                                               \
  X(real, jnt_axis, njnt, 3, direction, "", "unit axis")                                         \
  X(real, jnt_stiffness, njnt, 1, finite, "N/m, N m/rad",                                        \
    "largest dof_stiffness of the joint")                                                        \
  X(real, jnt_range, njnt, 2, finite, "m, rad", "limits")                                        \
  X(real, jnt_margin, njnt, 1, finite, "m, rad", "distance at which a limit becomes active")     \
  X(int, jnt_actfrclimited, njnt, 1, flag, "",                                                   \
    "the sum of its actuator forces is clamped to jnt_actfrcrange")                              \
  X(real, jnt_actfrcrange, njnt, 2, finite, "N, N m", "range of the sum of its actuator forces") \
  X(int, jnt_actgravcomp, njnt, 1, flag, "",                                                     \
    "gravity compensation is added to the actuator force, not to the passive force")             \
  X(real, jnt_user, njnt, nuser_jnt, finite, "mixed", "user values")                             \
  /* degrees of freedom */                                                                       \
  X(int, dof_bodyid, nv, 1, id(nbody), "", "body")                                               \
  X(int, dof_jntid, nv, 1, id(njnt), "", "joint")                                                \
  X(int, dof_parentid, nv, 1, id_or_none(nv), "", "next degree of freedom towards the root")     \
  X(int, dof_Madr, nv, 1, adr(nM), "", "index in qM of the first element of the row")            \
  X(int, dof_treeid, nv, 1, id(nv), "", "kinematic tree, numbered from 0")                       \
  X(real, dof_solref, nv, 2, finite, "s, 1", "friction loss: solref")                            \
  X(real, dof_solimp, nv, 5, finite, "mixed", "friction loss: solimp")                           \
  X(real, dof_frictionloss, nv, 1, finite, "N, N m", "friction loss")                            \
  X(real, dof_armature, nv, 1, nonnegative, "kg, kg m^2", "inertia added to the diagonal of M")  \
  X(real, dof_stiffness, nv, 1, finite, "N/m, N m/rad", "spring stiffness")                      \
  X(real, dof_damping, nv, 1, finite, "N s/m, N m s/rad", "damping")                             \
  X(real, dof_invweight0, nv, 1, derived, "1/kg, 1/(kg m^2)",                                    \
    "diagonal of M^-1, averaged over a ball joint, and over each half of a free joint")          \
  X(real, dof_M0, nv, 1, derived, "kg, kg m^2", "diagonal of M")                                 \
  /* geoms */                                                                                    \
  X(int, geom_type, ngeom, 1, kind(SN_NGEOMTYPES), "", "SN_GEOM_*")                              \
  X(int, geom_contype, ngeom, 1, bits, "",                                                       \
    "collision bits, compared with geom_conaffinity of other geoms")                             \
  X(int, geom_conaffinity, ngeom, 1, bits, "",                                                   \
    "collision bits, compared with geom_contype of other geoms")                                 \
  X(int, geom_condim, ngeom, 1, condim, "", "contact dimensions: 1, 3, 4, 6")                    \
  X(int, geom_bodyid, ngeom, 1, id(nbody), "", "owner")                                          \
  X(int, geom_dataid, ngeom, 1, of(geom_type), "", "mesh or height field")                       \
  X(int, geom_matid, ngeom, 1, id_or_none(nmat), "", "material")                                 \
  X(int, geom_group, ngeom, 1, any, "", "visibility group")                                      \
  X(int, geom_priority, ngeom, 1, any, "",                                                       \
    "contact parameters are those of the geom with the higher priority")                         \
  X(real, geom_solmix, ngeom, 1, finite, "", "weight in mixing solref and solimp")               \
  X(real, geom_solref, ngeom, 2, finite, "s, 1", "contact: solref")                              \
  X(real, geom_solimp, ngeom, 5, finite, "mixed", "contact: solimp")                             \
  X(real, geom_size, ngeom, 3, finite, "m", "sizes, by type")                                    \
  X(real, geom_rbound, ngeom, 1, derived, "m", "radius of the bounding sphere; 0: unbounded")    \
  X(real, geom_pos, ngeom, 3, finite, "m", "position")                                           \
  X(real, geom_quat, ngeom, 4, direction, "", "orientation")                                     \
  X(real, geom_friction, ngeom, 3, finite, "1, m, m", "sliding, torsional, rolling friction")    \
  X(real, geom_margin, ngeom, 1, finite, "m", "contacts are detected below this distance")       \
  X(real, geom_gap, ngeom, 1, finite, "m", "contacts are active below margin - gap")             \
  X(real, geom_restitution, ngeom, 1, finite, "", "coefficient of restitution, 0 to 1")          \
  X(real, geom_speculative, ngeom, 1, finite, "m",                                               \
    "largest distance of speculative contacts; 0: none")                                         \
  X(real, geom_fluid, ngeom, 12, finite, "mixed",                                                \
    "ellipsoid fluid model: 1 if used; blunt, slender and angular drag, Kutta and Magnus "       \
    "lift; added mass, added inertia (3 each)")                                                  \
  X(real, geom_user, ngeom, nuser_geom, finite, "mixed", "user values")                          \
  X(real, geom_rgba, ngeom, 4, finite, "", "color")                                              \
  /* sites */                                                                                    \
  X(int, site_type, nsite, 1, kind(SN_NGEOMTYPES), "", "SN_GEOM_*")                              \
  X(int, site_bodyid, nsite, 1, id(nbody), "", "owner")                                          \
  X(int, site_matid, nsite, 1, id_or_none(nmat), "", "material")                                 \
  X(int, site_group, nsite, 1, any, "", "visibility group")                                      \
  X(real, site_size, nsite, 3, finite, "m", "sizes, by type")                                    \
  X(real, site_pos, nsite, 3, finite, "m", "position")                                           \
  X(real, site_quat, nsite, 4, direction, "", "orientation")                                     \
  X(real, site_user, nsite, nuser_site, finite, "mixed", "user values")                          \
  X(real, site_rgba, nsite, 4, finite, "", "color")                                              \
  /* cameras */                                                                                  \
  X(int, cam_mode, ncam, 1, kind(SN_NTRACKMODES), "", "SN_TRACK_*")                              \
  X(int, cam_bodyid, ncam, 1, id(nbody), "", "owner")                                            \
  X(int, cam_targetbodyid, ncam, 1, id_or_none(nbody), "", "target body")                        \
  X(real, cam_pos, ncam, 3, finite, "m", "position")                                             \
  X(real, cam_quat, ncam, 4, direction, "", "orientation")                                       \
  X(real, cam_poscom0, ncam, 3, derived, "m",                                                    \
    "position relative to the subtree's center of mass, in global axes")                         \
  X(real, cam_pos0, ncam, 3, derived, "m", "position relative to the body, in global axes")      \
  X(real, cam_mat0, ncam, 9, derived, "", "global orientation")                                  \
  X(real, cam_fovy, ncam, 1, finite, "deg", "vertical field of view")                            \
  X(real, cam_ipd, ncam, 1, finite, "m", "interpupillary distance, for stereo rendering")        \
  X(real, cam_user, ncam, nuser_cam, finite, "mixed", "user values")                             \
  /* lights */                                                                                   \
  X(int, light_mode, nlight, 1, kind(SN_NTRACKMODES), "", "SN_TRACK_*")                          \
  X(int, light_bodyid, nlight, 1, id(nbody), "", "owner")                                        \
  X(int, light_targetbodyid, nlight, 1, id_or_none(nbody), "", "target body")                    \
  X(int, light_directional, nlight, 1, flag, "", "directional light, with parallel rays")        \
  X(int, light_castshadow, nlight, 1, flag, "", "casts shadows")                                 \
  X(int, light_active, nlight, 1, flag, "", "is on")                                             \
  X(real, light_pos, nlight, 3, finite, "m", "position")                                         \
  X(real, light_dir, nlight, 3, direction, "", "unit direction")                                 \
  X(real, light_poscom0, nlight, 3, derived, "m", "as cam_poscom0")                              \
  X(real, light_pos0, nlight, 3, derived, "m", "as cam_pos0")                                    \
  X(real, light_dir0, nlight, 3, derived, "", "global direction")                                \
  X(real, light_attenuation, nlight, 3, finite, "", "constant, linear, quadratic")               \
  X(real, light_cutoff, nlight, 1, finite, "deg", "half angle of the cone")                      \
  X(real, light_exponent, nlight, 1, finite, "", "exponent of the spotlight")                    \
  X(real, light_ambient, nlight, 3, finite, "", "ambient color")                                 \
  X(real, light_diffuse, nlight, 3, finite, "", "diffuse color")                                 \
  X(real, light_specular, nlight, 3, finite, "", "specular color")                               \
  /* meshes */                                                                                   \
  X(int, mesh_vertadr, nmesh, 1, adr_of(mesh_vertnum, nmeshvert), "",                            \
    "index of the first vertex")                                                                 \
  X(int, mesh_vertnum, nmesh, 1, count_from(1), "", "number of vertices")                        \
  X(int, mesh_texcoordadr, nmesh, 1, adr_or_none(nmeshtexvert), "", "first texture coordinate")  \
  X(int, mesh_faceadr, nmesh, 1, adr_of(mesh_facenum, nmeshface), "",                            \
    "index of the first triangle")                                                               \
  X(int, mesh_facenum, nmesh, 1, count, "", "number of triangles")                               \
  X(int, mesh_graphadr, nmesh, 1, adr_of(mesh_graphnum, nmeshgraph), "",                         \
    "index of the first integer of the hull's graph")                                            \
  X(int, mesh_graphnum, nmesh, 1, count, "", "number of integers of the hull's graph")           \
  X(real, mesh_vert, nmeshvert, 3, finite, "m", "vertices")                                      \
  X(real, mesh_normal, nmeshvert, 3, finite, "", "normals")                                      \
  X(real, mesh_texcoord, nmeshtexvert, 2, finite, "", "texture coordinates")                     \
  X(int, mesh_face, nmeshface, 3, other, "", "triangles: vertices of their mesh, from 0")        \
  X(int, mesh_graph, nmeshgraph, 1, other, "", "vertex graphs of the hulls")                     \
  /* skins */                                                                                    \
  X(int, skin_matid, nskin, 1, id_or_none(nmat), "", "material")                                 \
  X(int, skin_group, nskin, 1, any, "", "visibility group")                                      \
  X(real, skin_rgba, nskin, 4, finite, "", "color")                                              \
  X(real, skin_inflate, nskin, 1, finite, "m", "inflation along the normals")                    \
  X(int, skin_vertadr, nskin, 1, adr_of(skin_vertnum, nskinvert), "",                            \
    "index of the first vertex")                                                                 \
  X(int, skin_vertnum, nskin, 1, count, "", "number of vertices")                                \
  X(int, skin_texcoordadr, nskin, 1, adr_or_none(nskintexvert), "", "first texture coordinate")  \
  X(int, skin_faceadr, nskin, 1, adr_of(skin_facenum, nskinface), "",                            \
    "index of the first triangle")                                                               \
  X(int, skin_facenum, nskin, 1, count, "", "number of triangles")                               \
  X(int, skin_boneadr, nskin, 1, adr_of(skin_bonenum, nskinbone), "", "index of the first bone") \
  X(int, skin_bonenum, nskin, 1, count, "", "number of bones")                                   \
  X(real, skin_vert, nskinvert, 3, finite, "m", "vertices")                                      \
  X(real, skin_texcoord, nskintexvert, 2, finite, "", "texture coordinates")                     \
  X(int, skin_face, nskinface, 3, other, "", "triangles: vertices of their skin, from 0")        \
  X(int, skin_bonevertadr, nskinbone, 1, adr_of(skin_bonevertnum, nskinbonevert), "",            \
    "index of the first vertex of the bone")                                                     \
  X(int, skin_bonevertnum, nskinbone, 1, count, "", "number of vertices of the bone")            \
  X(real, skin_bonebindpos, nskinbone, 3, finite, "m", "bind position")                          \
  X(real, skin_bonebindquat, nskinbone, 4, direction, "", "bind orientation")                    \
  X(int, skin_bonebodyid, nskinbone, 1, id(nbody), "", "body of the bone")                       \
  X(int, skin_bonevertid, nskinbonevert, 1, other, "", "vertex of the skin, from 0")             \
  X(real, skin_bonevertweight, nskinbonevert, 1, finite, "", "weight of the vertex")             \
  /* height fields */                                                                            \
  X(real, hfield_size, nhfield, 4, positive, "m",                                                \
    "half-size along x and y, largest elevation, base thickness")                                \
  X(int, hfield_nrow, nhfield, 1, count_from(2), "", "number of rows, along y")                  \
  X(int, hfield_ncol, nhfield, 1, count_from(2), "", "number of columns, along x")               \
  X(int, hfield_adr, nhfield, 1, other, "", "first height")                                      \
  X(real, hfield_data, nhfielddata, 1, finite, "", "heights in [0, 1], row by row")              \
  /* textures and materials */                                                                   \
  X(int, tex_type, ntex, 1, kind(SN_NTEXTURETYPES), "", "SN_TEXTURE_*")                          \
  X(int, tex_height, ntex, 1, count_from(1), "", "height in pixels")                             \
  X(int, tex_width, ntex, 1, count_from(1), "", "width in pixels")                               \
  X(int, tex_adr, ntex, 1, other, "", "first byte")                                              \
  X(byte, tex_rgb, ntexdata, 1, bytes, "", "pixels, RGB")                                        \
  X(int, mat_texid, nmat, 1, id_or_none(ntex), "", "texture")                                    \
  X(int, mat_texuniform, nmat, 1, flag, "", "texrepeat is per unit of length, not per object")   \
  X(real, mat_texrepeat, nmat, 2, finite, "", "repetitions of the texture")                      \
  X(real, mat_emission, nmat, 1, finite, "", "emission")                                         \
  X(real, mat_specular, nmat, 1, finite, "", "specularity")                                      \
  X(real, mat_shininess, nmat, 1, finite, "", "shininess")                                       \
  X(real, mat_reflectance, nmat, 1, finite, "", "reflectance")                                   \
  X(real, mat_rgba, nmat, 4, finite, "", "color")                                                \
  /* explicit pairs and exclusions; signature: ((body1 + 1) << 16) + body2 + 1, body1 < body2 */ \
  X(int, pair_dim, npair, 1, condim, "", "contact dimensions")                                   \
  X(int, pair_geom1, npair, 1, id(ngeom), "", "first geom")                                      \
  X(int, pair_geom2, npair, 1, id(ngeom), "", "second geom")                                     \
  X(int, pair_signature, npair, 1, any, "", "signature of the bodies")                           \
  X(real, pair_solref, npair, 2, finite, "s, 1", "solref")                                       \
  X(real, pair_solimp, npair, 5, finite, "mixed", "solimp")                                      \
  X(real, pair_margin, npair, 1, finite, "m", "margin")                                          \
  X(real, pair_gap, npair, 1, finite, "m", "gap")                                                \
  X(real, pair_restitution, npair, 1, finite, "", "coefficient of restitution, 0 to 1")          \
  X(real, pair_friction, npair, 5, finite, "1, 1, m, m, m",                                      \
    "friction: 2 sliding, torsional, 2 rolling")                                                 \
  X(int, exclude_signature, nexclude, 1, any, "", "signature of the bodies")                     \
  X(int, exclude_body1, nexclude, 1, id(nbody), "", "first body")                                \
  X(int, exclude_body2, nexclude, 1, id(nbody), "", "second body")                               \
  /* equality constraints */                                                                     \
  X(int, eq_type, neq, 1, kind(SN_NEQUALITYTYPES), "", "SN_EQUALITY_*")                          \
  X(int, eq_obj1id, neq, 1, of(eq_type), "", "first object")                                     \
  X(int, eq_obj2id, neq, 1, of(eq_type), "", "second object")                                    \
  X(int, eq_active, neq, 1, flag, "", "active after a reset")                                    \
  X(int, eq_exact, neq, 1, flag, "", "holds exactly, whatever solref and solimp are")            \
  X(real, eq_solref, neq, 2, finite, "s, 1", "solref")                                           \
  X(real, eq_solimp, neq, 5, finite, "mixed", "solimp")                                          \
  X(real, eq_data, neq, 11, finite, "mixed",                                                     \
    "connect: anchors in bodies 1, 2; weld: anchors in bodies 2, 1, relative quaternion, "       \
    "torquescale; joint, tendon: 5 coefficients")                                                \
  X(real, eq_frame, neq, 4, finite, "",                                                          \
    "weld: quaternion, axes of the rotation error in body 2")                                    \
  /* tendons */                                                                                  \
  X(int, tendon_adr, ntendon, 1, adr_of(tendon_num, nwrap), "",                                  \
    "index of the first element of the path")                                                    \
  X(int, tendon_num, ntendon, 1, count, "", "number of elements of the path")                    \
  X(int, tendon_matid, ntendon, 1, id_or_none(nmat), "", "material")                             \
  X(int, tendon_group, ntendon, 1, any, "", "visibility group")                                  \
  X(int, tendon_limited, ntendon, 1, flag, "", "has limits")                                     \
  X(real, tendon_width, ntendon, 1, finite, "m", "radius, for rendering only")                   \
  X(real, tendon_solref_lim, ntendon, 2, finite, "s, 1", "limit: solref")                        \
  X(real, tendon_solimp_lim, ntendon, 5, finite, "mixed", "limit: solimp")                       \
  X(real, tendon_solref_fri, ntendon, 2, finite, "s, 1", "friction loss: solref")                \
  X(real, tendon_solimp_fri, ntendon, 5, finite, "mixed", "friction loss: solimp")               \
  X(real, tendon_range, ntendon, 2, finite, "m", "limits")                                       \
  X(real, tendon_margin, ntendon, 1, finite, "m", "distance at which a limit becomes active")    \
  X(real, tendon_stiffness, ntendon, 1, finite, "N/m", "spring stiffness")                       \
  X(real, tendon_damping, ntendon, 1, finite, "N s/m", "damping")                                \
  X(real, tendon_frictionloss, ntendon, 1, finite, "N", "friction loss")                         \
  X(real, tendon_armature, ntendon, 1, nonnegative, "kg", "inertia added along the tendon")      \
  X(real, tendon_lengthspring, ntendon, 1, finite, "m", "length below which the spring pushes")  \
  X(real, tendon_lengthspring1, ntendon, 1, finite, "m", "length above which the spring pulls")  \
  X(real, tendon_length0, ntendon, 1, derived, "m", "length")                                    \
  X(real, tendon_invweight0, ntendon, 1, derived, "1/kg", "inverse inertia")                     \
  X(int, tendon_actfrclimited, ntendon, 1, flag, "",                                             \
    "its actuator forces are scaled so that their sum is within actfrcrange")                    \
  X(real, tendon_actfrcrange, ntendon, 2, finite, "N",                                           \
    "range of the sum of its actuator forces")                                                   \
  X(real, tendon_user, ntendon, nuser_tendon, finite, "mixed", "user values")                    \
  X(real, tendon_rgba, ntendon, 4, finite, "", "color")                                          \
  X(int, wrap_type, nwrap, 1, kind_from(SN_WRAP_JOINT, SN_NWRAPTYPES), "", "SN_WRAP_*")          \
  X(int, wrap_objid, nwrap, 1, of(wrap_type), "", "joint, site or geom")                         \
  X(real, wrap_prm, nwrap, 1, other, "mixed",                                                    \
    "joint coefficient, pulley divisor, or id of the side site (-1: none)")                      \
  /* actuators */                                                                                \
  X(int, actuator_trntype, nu, 1, kind(SN_NTRNTYPES), "", "SN_TRN_*")                            \
  X(int, actuator_dyntype, nu, 1, kind(SN_NDYNTYPES), "",                                        \
    "SN_DYN_*")                                                                                  \
  X(int, actuator_gaintype, nu, 1, kind(SN_NGAINTYPES), "",                                      \
    "SN_GAIN_*")                                                                                 \
  X(int, actuator_biastype, nu, 1, kind(SN_NBIASTYPES), "",                                      \
    "SN_BIAS_*")                                                                                 \
  X(int, actuator_trnid, nu, 2, of(actuator_trntype), "",                                        \
    "target of the transmission; reference or slider site, or -1")                               \
  X(int, actuator_actadr, nu, 1, adr_of(actuator_actnum, na), "",                                \
    "index of the first activation state; -1: none")                                             \
  X(int, actuator_actnum, nu, 1, count, "", "number of activation states")                       \
  X(int, actuator_group, nu, 1, any, "", "group")                                                \
  X(int, actuator_ctrllimited, nu, 1, flag, "", "control is clamped")                            \
  X(int, actuator_forcelimited, nu, 1, flag, "", "force is clamped")                             \
  X(int, actuator_actlimited, nu, 1, flag, "", "activation is clamped")                          \
  X(int, actuator_actearly, nu, 1, flag, "",                                                     \
    "the force uses the activation at the end of the step")                                      \
  X(real, actuator_dynprm, nu, 10, finite, "mixed", "parameters of the dynamics")                \
  X(real, actuator_gainprm, nu, 10, finite, "mixed", "parameters of the gain")                   \
  X(real, actuator_biasprm, nu, 10, finite, "mixed", "parameters of the bias")                   \
  X(real, actuator_ctrlrange, nu, 2, finite, "mixed", "range of controls")                       \
  X(real, actuator_forcerange, nu, 2, finite, "N, N m", "range of forces")                       \
  X(real, actuator_actrange, nu, 2, finite, "mixed", "range of activations")                     \
  X(real, actuator_gear, nu, 6, finite, "mixed", "scales the transmission's length and force")   \
  X(real, actuator_cranklength, nu, 1, finite, "m", "length of the crank")                       \
  X(real, actuator_acc0, nu, 1, derived, "mixed",                                                \
    "norm of the joint acceleration caused by a unit force")                                     \
  X(real, actuator_length0, nu, 1, derived, "mixed", "length")                                   \
  X(real, actuator_lengthrange, nu, 2, finite, "mixed", "feasible lengths")                      \
  X(real, actuator_user, nu, nuser_actuator, finite, "mixed", "user values")                     \
  /* sensors */                                                                                  \
  X(int, sensor_type, nsensor, 1, kind(SN_NSENSORTYPES), "", "SN_SENSOR_*")                      \
  X(int, sensor_datatype, nsensor, 1, kind(SN_NDATATYPES), "", "SN_DATA_*")                      \
  X(int, sensor_needstage, nsensor, 1, kind_from(SN_STAGE_POSITION, SN_NSTAGES), "",             \
    "SN_STAGE_*")                                                                                \
  X(int, sensor_objtype, nsensor, 1, kind(SN_NOBJECTKINDS), "",                                  \
    "SN_OBJECT_*")                                                                               \
  X(int, sensor_objid, nsensor, 1, of(sensor_objtypename), "", "object")                         \
  X(int, sensor_reftype, nsensor, 1, kind(SN_NOBJECTKINDS), "",                                  \
    "SN_OBJECT_*")                                                                               \
  X(int, sensor_refid, nsensor, 1, of(sensor_reftypename), "", "reference")                      \
  X(int, sensor_dim, nsensor, 1, count, "", "number of values")                                  \
  X(int, sensor_adr, nsensor, 1, adr_of(sensor_dim, nsensordata), "",                            \
    "index of the first value in sensordata")                                                    \
  X(int, sensor_stateadr, nsensor, 1, other, "", "first number in sensor_state")                 \
  X(real, sensor_cutoff, nsensor, 1, finite, "mixed", "cutoff; 0: none")                         \
  X(real, sensor_noise, nsensor, 1, finite, "mixed", "standard deviation of the noise")          \
  X(real, sensor_user, nsensor, nuser_sensor, finite, "mixed", "user values")                    \
  /* custom data */                                                                              \
  X(int, numeric_adr, nnumeric, 1, adr_of(numeric_size, nnumericdata), "",                       \
    "index of the first value")                                                                  \
  X(int, numeric_size, nnumeric, 1, count, "", "number of values")                               \
  X(real, numeric_data, nnumericdata, 1, finite, "mixed", "values of all fields")                \
  X(int, text_adr, ntext, 1, adr_of(text_size, ntextdata), "", "index of the first byte")        \
  X(int, text_size, ntext, 1, count_from(1), "",                                                 \
    "number of bytes, including the terminating zero")                                           \
  X(char, text_data, ntextdata, 1, bytes, "", "bytes of all strings")                            \
  X(int, tuple_adr, ntuple, 1, adr_of(tuple_size, ntupledata), "", "index of the first object")  \
  X(int, tuple_size, ntuple, 1, count, "", "number of objects")                                  \
  X(int, tuple_objtype, ntupledata, 1, kind(SN_NOBJECTKINDS), "",                                \
    "SN_OBJECT_*")                                                                               \
  X(int, tuple_objid, ntupledata, 1, of(tuple_objtype), "", "object")                            \
  X(real, tuple_objprm, ntupledata, 1, finite, "mixed", "parameter of the object, for the user") \
  /* keyframes */                                                                                \
  X(real, key_time, nkey, 1, finite, "s", "time")                                                \
  X(real, key_qpos, nkey, nq, finite, "m, rad", "positions")                                     \
  X(real, key_qvel, nkey, nv, finite, "m/s, rad/s", "velocities")                                \
  X(real, key_act, nkey, na, finite, "mixed", "activations")                                     \
  X(real, key_mpos, nkey, 3 * nmocap, finite, "m", "mocap positions")                            \
  X(real, key_mquat, nkey, 4 * nmocap, finite, "", "mocap orientations")                         \
  X(real, key_ctrl, nkey, nu, finite, "mixed", "controls")                                       \
  /* names: offsets into `names`. The names of providers and kinds follow those of elements */   \
  X(int, name_bodyadr, nbody, 1, adr(nnames), "", "offset of the name in `names`")               \
  X(int, name_jntadr, njnt, 1, adr(nnames), "", "offset of the name in `names`")                 \
  X(int, name_geomadr, ngeom, 1, adr(nnames), "", "offset of the name in `names`")               \
  X(int, name_siteadr, nsite, 1, adr(nnames), "", "offset of the name in `names`")               \
  X(int, name_camadr, ncam, 1, adr(nnames), "", "offset of the name in `names`")                 \
  X(int, name_lightadr, nlight, 1, adr(nnames), "", "offset of the name in `names`")             \
  X(int, name_meshadr, nmesh, 1, adr(nnames), "", "offset of the name in `names`")               \
  X(int, name_skinadr, nskin, 1, adr(nnames), "", "offset of the name in `names`")               \
  X(int, name_hfieldadr, nhfield, 1, adr(nnames), "", "offset of the name in `names`")           \
  X(int, name_texadr, ntex, 1, adr(nnames), "", "offset of the name in `names`")                 \
  X(int, name_matadr, nmat, 1, adr(nnames), "", "offset of the name in `names`")                 \
  X(int, name_pairadr, npair, 1, adr(nnames), "", "offset of the name in `names`")               \
  X(int, name_excludeadr, nexclude, 1, adr(nnames), "", "offset of the name in `names`")         \
  X(int, name_eqadr, neq, 1, adr(nnames), "", "offset of the name in `names`")                   \
  X(int, name_tendonadr, ntendon, 1, adr(nnames), "", "offset of the name in `names`")           \
  X(int, name_actuatoradr, nu, 1, adr(nnames), "", "offset of the name in `names`")              \
  X(int, name_sensoradr, nsensor, 1, adr(nnames), "", "offset of the name in `names`")           \
  X(int, name_forceadr, nforce, 1, adr(nnames), "", "offset of the name in `names`")             \
  X(int, name_numericadr, nnumeric, 1, adr(nnames), "", "offset of the name in `names`")         \
  X(int, name_textadr, ntext, 1, adr(nnames), "", "offset of the name in `names`")               \
  X(int, name_tupleadr, ntuple, 1, adr(nnames), "", "offset of the name in `names`")             \
  X(int, name_keyadr, nkey, 1, adr(nnames), "", "offset of the name in `names`")                 \
  X(int, actuator_dynname, nu, 1, adr(nnames), "",                                                \
    "offset in `names` of the name of the dynamics")                                              \
  X(int, actuator_gainname, nu, 1, adr(nnames), "", "offset in `names` of the name of the gain")  \
  X(int, actuator_biasname, nu, 1, adr(nnames), "", "offset in `names` of the name of the bias")  \
  X(int, geom_shapename, ngeom, 1, adr(nnames), "",                                               \
    "offset in `names` of the name of a shape of a plugin")                                       \
  X(int, geom_attradr, ngeom, 1, adr(nnames), "",                                                 \
    "offset in `names` of the attributes of a shape of a plugin: lines key=value")               \
  X(int, actuator_attradr, nu, 1, adr(nnames), "",                                               \
    "offset in `names` of the attributes: lines key=value")                                      \
  X(int, sensor_typename, nsensor, 1, adr(nnames), "",                                            \
    "offset in `names` of the name of the type")                                                  \
  X(int, sensor_objtypename, nsensor, 1, adr(nnames), "",                                         \
    "offset in `names` of the kind of the object")                                                \
  X(int, sensor_reftypename, nsensor, 1, adr(nnames), "",                                         \
    "offset in `names` of the kind of the reference")                                             \
  X(int, sensor_attradr, nsensor, 1, adr(nnames), "",                                            \
    "offset in `names` of the attributes: lines key=value")                                      \
  X(int, eq_typename, neq, 1, adr(nnames), "", "offset in `names` of a plugin constraint's type") \
  X(int, eq_attradr, neq, 1, adr(nnames), "",                                                     \
    "offset in `names` of a plugin constraint's attributes: lines key=value")                    \
  X(int, force_typename, nforce, 1, adr(nnames), "", "offset in `names` of the name of the type") \
  X(int, force_attradr, nforce, 1, adr(nnames), "",                                              \
    "offset in `names` of the attributes: lines key=value")                                      \
  X(char, names, nnames, 1, bytes, "",                                                           \
    "all names, each ended by a zero; offset 0 is the empty name, the model's own name follows")

// Which rows of the arrays of models and simulations belong to an element.
//
//   SN_MODEL_ELEMENTS(X)   X(kind, size, prefix, also)
//
// Arrays with `size` rows have one for each element of the kind. The names of the arrays begin with
// `prefix` or `also`, which bindings omit: the geom_size of a geom is its `size`. Its name begins
// at name_<prefix>adr. Models store names in this order.
#define SN_MODEL_ELEMENTS(X)           \
  X(body, nbody, body, "dof_")         \
  X(joint, njnt, jnt, "dof_")          \
  X(geom, ngeom, geom, "")             \
  X(site, nsite, site, "")             \
  X(camera, ncam, cam, "")             \
  X(light, nlight, light, "")          \
  X(mesh, nmesh, mesh, "")             \
  X(skin, nskin, skin, "")             \
  X(hfield, nhfield, hfield, "")       \
  X(texture, ntex, tex, "")            \
  X(material, nmat, mat, "")           \
  X(pair, npair, pair, "")             \
  X(exclude, nexclude, exclude, "")    \
  X(equality, neq, eq, "")             \
  X(tendon, ntendon, tendon, "ten_")   \
  X(actuator, nu, actuator, "")        \
  X(sensor, nsensor, sensor, "sensor") \
  X(force, nforce, force, "")          \
  X(numeric, nnumeric, numeric, "")    \
  X(text, ntext, text, "")             \
  X(tuple, ntuple, tuple, "")          \
  X(key, nkey, key, "")

// In all other arrays an element may have any number of rows. `first` is the array that contains
// the index of the element's first row, or -1 if it has none.
//
//   COUNTED(size, kind, first, count)   the array `count` contains how many
//   PACKED(size, kind, first)           up to the first row of the next element
//   SINGLE(size, kind, first)           one
//
// If a row belongs to elements of two kinds (a dof: to a joint and a body), it is named after the
// kind that is listed first.
#define SN_MODEL_PARTS(COUNTED, PACKED, SINGLE)             \
  PACKED(nq, joint, jnt_qposadr)                            \
  PACKED(nv, joint, jnt_dofadr)                             \
  COUNTED(nv, body, body_dofadr, body_dofnum)               \
  SINGLE(nmocap, body, body_mocapid)                        \
  COUNTED(na, actuator, actuator_actadr, actuator_actnum)   \
  COUNTED(nsensordata, sensor, sensor_adr, sensor_dim)      \
  PACKED(nsensorstate, sensor, sensor_stateadr)             \
  COUNTED(nnumericdata, numeric, numeric_adr, numeric_size) \
  PACKED(nhfielddata, hfield, hfield_adr)                   \
  PACKED(ntexdata, texture, tex_adr)                        \
  COUNTED(nmeshvert, mesh, mesh_vertadr, mesh_vertnum)      \
  COUNTED(nmeshface, mesh, mesh_faceadr, mesh_facenum)      \
  COUNTED(nskinvert, skin, skin_vertadr, skin_vertnum)      \
  COUNTED(nskinface, skin, skin_faceadr, skin_facenum)      \
  COUNTED(ntextdata, text, text_adr, text_size)             \
  COUNTED(ntupledata, tuple, tuple_adr, tuple_size)

#endif
