// SPDX-License-Identifier: Apache-2.0
//
// Every member of every definition struct of spec.h: its type, the array of the model that it is
// compiled to, the values that it may have, and its default. These tables are the only list:
// sn_default_<kind>(), the copies that a spec keeps, the checks of definitions, compiling, and
// copying edited numbers back are generated from it.
//
//   SN_SPEC_FIELDS_<kind>(X)   X(kind, type, member, field, copy, about, last)
//
// How to add an attribute. It is written in four places:
//
//   1  its row in the schema of a loader, which reads and writes it (loaders/mjcf/schema/)
//   2  its member, at the end of the definition struct, where zero means the default (spec.h)
//   3  its field, an array of the model (fields_model.h)
//   4  its row here
//
// and in the code that computes with it. The compiler needs code for it only if it is not just
// copied.
//
//   type       member                        about                        last
//   TEXT       string                        ANY                          default
//   TEXTS      several strings               ANY                          NULL
//   NAME       name of another element       its kind                     DEPENDS: removed with it;
//                                                                         LOOSE: stays without it
//   OWNER      id of the body that has it    ANY                          default
//   INT        integer                       ANY                          default
//   FLAG       integer; 0 means no           ANY                          default
//   LIMITED    SN_FALSE, SN_TRUE, SN_AUTO    member with the range        default
//   REAL       numbers                       FINITE, UNSET, POSITIVE ...  defaults; the last one is
//                                                                         repeated
//   ORIENT     sn_orient                     UNSET                        IDENTITY
//   REALS      sn_reals                      with USER: the number of     EMPTY
//                                            columns; else ANY
//   INTS       sn_ints                       ANY                          EMPTY
//   BYTES      pointer to bytes              member with their number     EMPTY
//   ITEMS      pointer to structs            member with their number     their table
//
// copy: how the member is compiled to the field, and how edited real numbers of the field are
// copied back to the member (sn_spec_update):
//
//   COPY       the same numbers. NAME, OWNER: the id of the element; FLAG: 0 or 1; LIMITED: 1 if
//              the range is a limit
//   START      as COPY, in both directions; then code (core/compile) changes values that are
//              inferred, have another unit or are normalized
//   ROW        for REALS: a whole row of the field, or the default if empty
//   USER       for REALS: a row of the field, completed with zeros
//   CODE       only code converts between member and field
//   NONE       the field is `none`: there is no array, the member only affects the compiler
//
// about, for a REAL: the values that the compiler accepts. UNSET allows SN_UNSET; NOT_NEGATIVE and
// UNSET_OR_NOT_NEGATIVE reject negative numbers; WARN_NEGATIVE accepts them with a warning. The
// range of an INT with COPY is that of its field.

#ifndef SINEW_FIELDS_SPEC_H
#define SINEW_FIELDS_SPEC_H

#define SN_DEFAULT_SOLREF 0.02, 1
#define SN_DEFAULT_SOLIMP 0.9, 0.95, 0.001, 0.5, 2

// clang-format off
#define SN_SPEC_FIELDS_body(X)                                                                     \
  X(body, TEXT,    name,          name_bodyadr,        CODE,  ANY,           NULL)                 \
  X(body, OWNER,   parent,        body_parentid,       COPY,  ANY,           0)                    \
  X(body, FLAG,    mocap,         body_mocapid,        CODE,  ANY,           0)                    \
  X(body, REAL,    pos,           body_pos,            CODE,  UNSET,         0)                    \
  X(body, ORIENT,  orient,        body_quat,           CODE,  UNSET,         IDENTITY)             \
  X(body, REAL,    gravcomp,      body_gravcomp,       COPY,  FINITE,        0)                    \
  X(body, FLAG,    inertial,      none,                NONE,  ANY,           0)                    \
  X(body, REAL,    ipos,          body_ipos,           CODE,  FINITE,        0)                    \
  X(body, ORIENT,  iorient,       body_iquat,          CODE,  UNSET,         IDENTITY)             \
  X(body, REAL,    mass,          body_mass,           CODE,  FINITE,        0)                    \
  X(body, REAL,    diaginertia,   body_inertia,        CODE,  FINITE,        0)                    \
  X(body, REAL,    fullinertia,   body_inertia,        CODE,  UNSET,         SN_UNSET)             \
  X(body, REALS,   user,          body_user,           USER,  nuser_body,    EMPTY)                \
  X(body, INT,     sleep,         body_sleep,          COPY,  ANY,           SN_SLEEP_AUTO)

#define SN_SPEC_FIELDS_joint(X)                                                                    \
  X(joint, TEXT,    name,             name_jntadr,      CODE,  ANY,           NULL)                \
  X(joint, OWNER,   body,             jnt_bodyid,       COPY,  ANY,           0)                   \
  X(joint, INT,     type,             jnt_type,         COPY,  ANY,           SN_JOINT_HINGE)      \
  X(joint, INT,     group,            jnt_group,        COPY,  ANY,           0)                   \
  X(joint, LIMITED, limited,          jnt_limited,      CODE,  range,         SN_FALSE)            \
  X(joint, REAL,    pos,              jnt_pos,          START, FINITE,        0)                   \
  X(joint, REAL,    axis,             jnt_axis,         START, FINITE,        0, 0, 1)             \
  X(joint, REAL,    springdamper,     dof_stiffness,    CODE,  FINITE,        0)                   \
  X(joint, REAL,    range,            jnt_range,        START, FINITE,        0)                   \
  X(joint, REAL,    margin,           jnt_margin,       COPY,  FINITE,        0)                   \
  X(joint, REAL,    ref,              qpos0,            CODE,  FINITE,        0)                   \
  X(joint, REAL,    springref,        qpos_spring,      CODE,  FINITE,        0)                   \
  X(joint, REAL,    stiffness,        dof_stiffness,    CODE,  FINITE,        0)                   \
  X(joint, REAL,    damping,          dof_damping,      CODE,  WARN_NEGATIVE, 0)                   \
  X(joint, REAL,    armature,         dof_armature,     CODE,  WARN_NEGATIVE, 0)                   \
  X(joint, REAL,    frictionloss,     dof_frictionloss, CODE,  WARN_NEGATIVE, 0)                   \
  X(joint, REAL,    solref_limit,     jnt_solref,       COPY,  FINITE,        SN_DEFAULT_SOLREF)   \
  X(joint, REAL,    solimp_limit,     jnt_solimp,       COPY,  FINITE,        SN_DEFAULT_SOLIMP)   \
  X(joint, REAL,    solref_friction,  dof_solref,       CODE,  FINITE,        SN_DEFAULT_SOLREF)   \
  X(joint, REAL,    solimp_friction,  dof_solimp,       CODE,  FINITE,        SN_DEFAULT_SOLIMP)   \
  X(joint, REALS,   user,             jnt_user,         USER,  nuser_jnt,     EMPTY)               \
  X(joint, REAL,    dof_stiffness,    dof_stiffness,    CODE,  UNSET,         SN_UNSET)            \
  X(joint, REAL,    dof_damping,      dof_damping,      CODE,  UNSET_OR_WARN_NEGATIVE, SN_UNSET)   \
  X(joint, REAL,    dof_armature,     dof_armature,     CODE,  UNSET_OR_WARN_NEGATIVE, SN_UNSET)   \
  X(joint, REAL,    dof_frictionloss, dof_frictionloss, CODE,  UNSET_OR_WARN_NEGATIVE, SN_UNSET)   \
  X(joint, REAL,    springquat,       qpos_spring,      CODE,  UNSET,         SN_UNSET)            \
  X(joint, LIMITED, actfrclimited,    jnt_actfrclimited, CODE, actfrcrange,   SN_FALSE)            \
  X(joint, FLAG,    actgravcomp,      jnt_actgravcomp,  COPY,  ANY,           0)                   \
  X(joint, REAL,    actfrcrange,      jnt_actfrcrange,  COPY,  FINITE,        0)

#define SN_SPEC_FIELDS_geom(X)                                                                     \
  X(geom, TEXT,   name,          name_geomadr,     CODE,  ANY,           NULL)                     \
  X(geom, NAME,   material,      geom_matid,       COPY,  material,      LOOSE)                    \
  X(geom, NAME,   mesh,          geom_dataid,      CODE,  mesh,          DEPENDS)                  \
  X(geom, NAME,   hfield,        geom_dataid,      CODE,  hfield,        DEPENDS)                  \
  X(geom, OWNER,  body,          geom_bodyid,      COPY,  ANY,           0)                        \
  X(geom, INT,    type,          geom_type,        COPY,  ANY,           SN_GEOM_SPHERE)           \
  X(geom, INT,    contype,       geom_contype,     COPY,  ANY,           1)                        \
  X(geom, INT,    conaffinity,   geom_conaffinity, COPY,  ANY,           1)                        \
  X(geom, INT,    condim,        geom_condim,      COPY,  ANY,           3)                        \
  X(geom, INT,    priority,      geom_priority,    COPY,  ANY,           0)                        \
  X(geom, INT,    group,         geom_group,       COPY,  ANY,           0)                        \
  X(geom, FLAG,   shellinertia,  none,             NONE,  ANY,           0)                        \
  X(geom, FLAG,   fluid,         geom_fluid,       CODE,  ANY,           0)                        \
  X(geom, REAL,   size,          geom_size,        START, FINITE,        0)                        \
  X(geom, REAL,   pos,           geom_pos,         CODE,  FINITE,        0)                        \
  X(geom, ORIENT, orient,        geom_quat,        CODE,  UNSET,         IDENTITY)                 \
  X(geom, REAL,   fromto,        geom_quat,        CODE,  UNSET,         SN_UNSET)                 \
  X(geom, REAL,   mass,          none,             NONE,  UNSET_OR_NOT_NEGATIVE, SN_UNSET)         \
  X(geom, REAL,   density,       none,             NONE,  NOT_NEGATIVE,  1000)                     \
  X(geom, REAL,   friction,      geom_friction,    COPY,  FINITE,        1, 0.005, 0.0001)         \
  X(geom, REAL,   solmix,        geom_solmix,      COPY,  FINITE,        1)                        \
  X(geom, REAL,   solref,        geom_solref,      COPY,  FINITE,        SN_DEFAULT_SOLREF)        \
  X(geom, REAL,   solimp,        geom_solimp,      COPY,  FINITE,        SN_DEFAULT_SOLIMP)        \
  X(geom, REAL,   margin,        geom_margin,      COPY,  FINITE,        0)                        \
  X(geom, REAL,   gap,           geom_gap,         COPY,  FINITE,        0)                        \
  X(geom, REAL,   fitscale,      none,             NONE,  FINITE,        1)                        \
  X(geom, REAL,   fluidcoef,     geom_fluid,       CODE,  FINITE,        0.5, 0.25, 1.5, 1, 1)     \
  X(geom, REAL,   rgba,          geom_rgba,        COPY,  FINITE,        0.5, 0.5, 0.5, 1)         \
  X(geom, REALS,  user,          geom_user,        USER,  nuser_geom,    EMPTY)                    \
  X(geom, TEXT,   shape,         geom_shapename,   CODE,  ANY,           NULL)                     \
  X(geom, TEXT,   attributes,    geom_attradr,     CODE,  ANY,           NULL)                     \
  X(geom, REAL,   restitution,   geom_restitution, COPY,  NOT_NEGATIVE,  0)                       \
  X(geom, REAL,   speculative,   geom_speculative, COPY,  NOT_NEGATIVE,  0)

#define SN_SPEC_FIELDS_site(X)                                                                     \
  X(site, TEXT,   name,      name_siteadr,  CODE,  ANY,         NULL)                              \
  X(site, NAME,   material,  site_matid,    COPY,  material,    LOOSE)                             \
  X(site, OWNER,  body,      site_bodyid,   COPY,  ANY,         0)                                 \
  X(site, INT,    type,      site_type,     COPY,  ANY,         SN_GEOM_SPHERE)                    \
  X(site, INT,    group,     site_group,    COPY,  ANY,         0)                                 \
  X(site, REAL,   size,      site_size,     START, FINITE,      0.005)                             \
  X(site, REAL,   pos,       site_pos,      CODE,  FINITE,      0)                                 \
  X(site, ORIENT, orient,    site_quat,     CODE,  UNSET,       IDENTITY)                          \
  X(site, REAL,   fromto,    site_quat,     CODE,  UNSET,       SN_UNSET)                          \
  X(site, REAL,   rgba,      site_rgba,     COPY,  FINITE,      0.5, 0.5, 0.5, 1)                  \
  X(site, REALS,  user,      site_user,     USER,  nuser_site,  EMPTY)

#define SN_SPEC_FIELDS_camera(X)                                                                   \
  X(camera, TEXT,   name,    name_camadr,      CODE,  ANY,        NULL)                            \
  X(camera, NAME,   target,  cam_targetbodyid, COPY,  body,       DEPENDS)                         \
  X(camera, OWNER,  body,    cam_bodyid,       COPY,  ANY,        0)                               \
  X(camera, INT,    mode,    cam_mode,         COPY,  ANY,        SN_TRACK_FIXED)                  \
  X(camera, REAL,   pos,     cam_pos,          COPY,  FINITE,     0)                               \
  X(camera, ORIENT, orient,  cam_quat,         CODE,  UNSET,      IDENTITY)                        \
  X(camera, REAL,   fovy,    cam_fovy,         COPY,  FINITE,     45)                              \
  X(camera, REAL,   ipd,     cam_ipd,          COPY,  FINITE,     0.068)                           \
  X(camera, REALS,  user,    cam_user,         USER,  nuser_cam,  EMPTY)

#define SN_SPEC_FIELDS_light(X)                                                                    \
  X(light, TEXT,  name,         name_lightadr,      CODE,  ANY,     NULL)                          \
  X(light, NAME,  target,       light_targetbodyid, COPY,  body,    DEPENDS)                       \
  X(light, OWNER, body,         light_bodyid,       COPY,  ANY,     0)                             \
  X(light, INT,   mode,         light_mode,         COPY,  ANY,     SN_TRACK_FIXED)                \
  X(light, FLAG,  directional,  light_directional,  COPY,  ANY,     0)                             \
  X(light, FLAG,  castshadow,   light_castshadow,   COPY,  ANY,     1)                             \
  X(light, FLAG,  active,       light_active,       COPY,  ANY,     1)                             \
  X(light, REAL,  pos,          light_pos,          COPY,  FINITE,  0)                             \
  X(light, REAL,  dir,          light_dir,          START, FINITE,  0, 0, -1)                      \
  X(light, REAL,  attenuation,  light_attenuation,  COPY,  FINITE,  1, 0, 0)                       \
  X(light, REAL,  cutoff,       light_cutoff,       COPY,  FINITE,  45)                            \
  X(light, REAL,  exponent,     light_exponent,     COPY,  FINITE,  10)                            \
  X(light, REAL,  ambient,      light_ambient,      COPY,  FINITE,  0)                             \
  X(light, REAL,  diffuse,      light_diffuse,      COPY,  FINITE,  0.7)                           \
  X(light, REAL,  specular,     light_specular,     COPY,  FINITE,  0.3)

#define SN_SPEC_FIELDS_mesh(X)                                                                     \
  X(mesh, TEXT,  name,          name_meshadr,   CODE,  ANY,     NULL)                              \
  X(mesh, TEXT,  file,          none,           NONE,  ANY,     NULL)                              \
  X(mesh, BYTES, bytes,         none,           NONE,  nbytes,  EMPTY)                             \
  X(mesh, REALS, vert,          mesh_vert,      CODE,  ANY,     EMPTY)                             \
  X(mesh, REALS, normal,        mesh_normal,    CODE,  ANY,     EMPTY)                             \
  X(mesh, REALS, texcoord,      mesh_texcoord,  CODE,  ANY,     EMPTY)                             \
  X(mesh, INTS,  face,          mesh_face,      CODE,  ANY,     EMPTY)                             \
  X(mesh, REAL,  refpos,        mesh_vert,      CODE,  FINITE,  0)                                 \
  X(mesh, REAL,  refquat,       mesh_vert,      CODE,  FINITE,  1, 0)                              \
  X(mesh, REAL,  scale,         mesh_vert,      CODE,  FINITE,  1)                                 \
  X(mesh, FLAG,  smoothnormal,  mesh_normal,    CODE,  ANY,     0)                                 \
  X(mesh, INT,   inertia,       none,           NONE,  ANY,     SN_MESH_AS_COMPILER)               \
  X(mesh, INT,   maxhullvert,   mesh_graph,     CODE,  ANY,     -1)

#define SN_SPEC_FIELDS_hfield(X)                                                                   \
  X(hfield, TEXT,  name,    name_hfieldadr, CODE,  ANY,     NULL)                                  \
  X(hfield, TEXT,  file,    none,           NONE,  ANY,     NULL)                                  \
  X(hfield, BYTES, bytes,   none,           NONE,  nbytes,  EMPTY)                                 \
  X(hfield, INT,   nrow,    hfield_nrow,    CODE,  ANY,     0)                                     \
  X(hfield, INT,   ncol,    hfield_ncol,    CODE,  ANY,     0)                                     \
  X(hfield, REAL,  extent,  hfield_size,    COPY,  FINITE,  0)                                     \
  X(hfield, REALS, data,    hfield_data,    CODE,  ANY,     EMPTY)

#define SN_SPEC_FIELDS_texture(X)                                                                  \
  X(texture, TEXT,  name,          name_texadr, CODE,  ANY,            NULL)                       \
  X(texture, TEXT,  file,          none,        NONE,  ANY,            NULL)                       \
  X(texture, TEXTS, cubefile,      none,        NONE,  ANY,            NULL)                       \
  X(texture, BYTES, bytes,         none,        NONE,  nbytes,         EMPTY)                      \
  X(texture, BYTES, cubebytes[0],  none,        NONE,  ncubebytes[0],  EMPTY)                      \
  X(texture, BYTES, cubebytes[1],  none,        NONE,  ncubebytes[1],  EMPTY)                      \
  X(texture, BYTES, cubebytes[2],  none,        NONE,  ncubebytes[2],  EMPTY)                      \
  X(texture, BYTES, cubebytes[3],  none,        NONE,  ncubebytes[3],  EMPTY)                      \
  X(texture, BYTES, cubebytes[4],  none,        NONE,  ncubebytes[4],  EMPTY)                      \
  X(texture, BYTES, cubebytes[5],  none,        NONE,  ncubebytes[5],  EMPTY)                      \
  X(texture, TEXT,  gridlayout,    none,        NONE,  ANY,            NULL)                       \
  X(texture, INT,   gridsize[0],   none,        NONE,  ANY,            1)                          \
  X(texture, INT,   gridsize[1],   none,        NONE,  ANY,            1)                          \
  X(texture, INT,   type,          tex_type,    COPY,  ANY,            SN_TEXTURE_CUBE)            \
  X(texture, INT,   builtin,       tex_rgb,     CODE,  ANY,            SN_BUILTIN_NONE)            \
  X(texture, INT,   mark,          tex_rgb,     CODE,  ANY,            SN_MARK_NONE)               \
  X(texture, FLAG,  hflip,         tex_rgb,     CODE,  ANY,            0)                          \
  X(texture, FLAG,  vflip,         tex_rgb,     CODE,  ANY,            0)                          \
  X(texture, INT,   width,         tex_width,   CODE,  ANY,            0)                          \
  X(texture, INT,   height,        tex_height,  CODE,  ANY,            0)                          \
  X(texture, REAL,  rgb1,          tex_rgb,     CODE,  FINITE,         0.8)                        \
  X(texture, REAL,  rgb2,          tex_rgb,     CODE,  FINITE,         0.5)                        \
  X(texture, REAL,  markrgb,       tex_rgb,     CODE,  FINITE,         0)                          \
  X(texture, REAL,  random,        tex_rgb,     CODE,  FINITE,         0.01)

#define SN_SPEC_FIELDS_material(X)                                                                 \
  X(material, TEXT, name,         name_matadr,     CODE,  ANY,      NULL)                          \
  X(material, NAME, texture,      mat_texid,       COPY,  texture,  LOOSE)                         \
  X(material, FLAG, texuniform,   mat_texuniform,  COPY,  ANY,      0)                             \
  X(material, REAL, texrepeat,    mat_texrepeat,   COPY,  FINITE,   1)                             \
  X(material, REAL, emission,     mat_emission,    COPY,  FINITE,   0)                             \
  X(material, REAL, specular,     mat_specular,    COPY,  FINITE,   0.5)                           \
  X(material, REAL, shininess,    mat_shininess,   COPY,  FINITE,   0.5)                           \
  X(material, REAL, reflectance,  mat_reflectance, COPY,  FINITE,   0)                             \
  X(material, REAL, rgba,         mat_rgba,        COPY,  FINITE,   1)

#define SN_SPEC_FIELDS_skin(X)                                                                     \
  X(skin, TEXT,  name,      name_skinadr,   CODE,  ANY,       NULL)                                \
  X(skin, TEXT,  file,      none,           NONE,  ANY,       NULL)                                \
  X(skin, NAME,  material,  skin_matid,     COPY,  material,  LOOSE)                               \
  X(skin, BYTES, bytes,     none,           NONE,  nbytes,    EMPTY)                               \
  X(skin, INT,   group,     skin_group,     COPY,  ANY,       0)                                   \
  X(skin, REAL,  inflate,   skin_inflate,   COPY,  FINITE,    0)                                   \
  X(skin, REAL,  rgba,      skin_rgba,      COPY,  FINITE,    0.5, 0.5, 0.5, 1)                    \
  X(skin, REALS, vert,      skin_vert,      CODE,  ANY,       EMPTY)                               \
  X(skin, REALS, texcoord,  skin_texcoord,  CODE,  ANY,       EMPTY)                               \
  X(skin, INTS,  face,      skin_face,      CODE,  ANY,       EMPTY)                               \
  X(skin, ITEMS, bone,      skin_boneadr,   CODE,  nbone,     bone)

#define SN_SPEC_FIELDS_bone(X)                                                                     \
  X(bone, TEXT,  body,        skin_bonebodyid,     CODE,  ANY,     NULL)                           \
  X(bone, REAL,  bindpos,     skin_bonebindpos,    CODE,  FINITE,  0)                              \
  X(bone, REAL,  bindquat,    skin_bonebindquat,   CODE,  FINITE,  0)                              \
  X(bone, INTS,  vertid,      skin_bonevertid,     CODE,  ANY,     EMPTY)                          \
  X(bone, REALS, vertweight,  skin_bonevertweight, CODE,  ANY,     EMPTY)

#define SN_SPEC_FIELDS_pair(X)                                                                     \
  X(pair, TEXT, name,      name_pairadr,   CODE,  ANY,    NULL)                                    \
  X(pair, NAME, geom1,     pair_geom1,     CODE,  geom,   DEPENDS)                                 \
  X(pair, NAME, geom2,     pair_geom2,     CODE,  geom,   DEPENDS)                                 \
  X(pair, INT,  condim,    pair_dim,       START, ANY,    0)                                       \
  X(pair, REAL, friction,  pair_friction,  START, UNSET,  SN_UNSET)                                \
  X(pair, REAL, solref,    pair_solref,    START, UNSET,  SN_UNSET)                                \
  X(pair, REAL, solimp,    pair_solimp,    START, UNSET,  SN_UNSET)                                \
  X(pair, REAL, margin,    pair_margin,    START, UNSET,  SN_UNSET)                                \
  X(pair, REAL, gap,       pair_gap,       START, UNSET,  SN_UNSET)                               \
  X(pair, REAL, restitution, pair_restitution, START, UNSET, SN_UNSET)

#define SN_SPEC_FIELDS_exclude(X)                                                                  \
  X(exclude, TEXT, name,   name_excludeadr, CODE,  ANY,   NULL)                                    \
  X(exclude, NAME, body1,  exclude_body1,   CODE,  body,  DEPENDS)                                 \
  X(exclude, NAME, body2,  exclude_body2,   CODE,  body,  DEPENDS)

#define SN_SPEC_FIELDS_equality(X)                                                                 \
  X(equality, TEXT, name,         name_eqadr,  CODE,  ANY,     NULL)                               \
  X(equality, TEXT, obj1,         eq_obj1id,   CODE,  ANY,     NULL)                               \
  X(equality, TEXT, obj2,         eq_obj2id,   CODE,  ANY,     NULL)                               \
  X(equality, INT,  type,         eq_type,     COPY,  ANY,     SN_EQUALITY_CONNECT)                \
  X(equality, FLAG, active,       eq_active,   COPY,  ANY,     1)                                  \
  X(equality, REAL, anchor,       eq_data,     CODE,  FINITE,  0)                                  \
  X(equality, REAL, relpose,      eq_data,     CODE,  FINITE,  0)                                  \
  X(equality, REAL, torquescale,  eq_data,     CODE,  FINITE,  1)                                  \
  X(equality, REAL, polycoef,     eq_data,     CODE,  FINITE,  0, 1, 0)                            \
  X(equality, REAL, solref,       eq_solref,   COPY,  FINITE,  SN_DEFAULT_SOLREF)                  \
  X(equality, REAL, solimp,       eq_solimp,   COPY,  FINITE,  SN_DEFAULT_SOLIMP)                  \
  X(equality, FLAG, sites,        eq_obj1id,   CODE,  ANY,     0)                                  \
  X(equality, TEXT, plugin,       eq_typename, CODE,  ANY,     NULL)                               \
  X(equality, TEXT, attributes,   eq_attradr,  CODE,  ANY,     NULL)                               \
  X(equality, FLAG, exact,        eq_exact,    COPY,  ANY,     0)

#define SN_SPEC_FIELDS_tendon(X)                                                                   \
  X(tendon, TEXT,    name,             name_tendonadr,       CODE,  ANY,            NULL)          \
  X(tendon, NAME,    material,         tendon_matid,         COPY,  material,       LOOSE)         \
  X(tendon, INT,     group,            tendon_group,         COPY,  ANY,            0)             \
  X(tendon, LIMITED, limited,          tendon_limited,       COPY,  range,          SN_FALSE)      \
  X(tendon, REAL,    range,            tendon_range,         COPY,  FINITE,         0)             \
  X(tendon, REAL,    margin,           tendon_margin,        COPY,  FINITE,         0)             \
  X(tendon, REAL,    stiffness,        tendon_stiffness,     COPY,  FINITE,         0)             \
  X(tendon, REAL,    damping,          tendon_damping,       COPY,  WARN_NEGATIVE,  0)             \
  X(tendon, REAL,    frictionloss,     tendon_frictionloss,  COPY,  WARN_NEGATIVE,  0)             \
  X(tendon, REAL,    springlength,     tendon_lengthspring,  CODE,  UNSET,          SN_UNSET)      \
  X(tendon, REAL,    width,            tendon_width,         COPY,  FINITE,         0.003)         \
  X(tendon, REAL,    solref_limit,     tendon_solref_lim,    COPY,  FINITE,     SN_DEFAULT_SOLREF) \
  X(tendon, REAL,    solimp_limit,     tendon_solimp_lim,    COPY,  FINITE,     SN_DEFAULT_SOLIMP) \
  X(tendon, REAL,    solref_friction,  tendon_solref_fri,    COPY,  FINITE,     SN_DEFAULT_SOLREF) \
  X(tendon, REAL,    solimp_friction,  tendon_solimp_fri,    COPY,  FINITE,     SN_DEFAULT_SOLIMP) \
  X(tendon, REAL,    rgba,             tendon_rgba,          COPY,  FINITE,     0.5, 0.5, 0.5, 1)  \
  X(tendon, ITEMS,   wrap,             tendon_adr,           CODE,  nwrap,          wrap)          \
  X(tendon, REALS,   user,             tendon_user,          USER,  nuser_tendon,   EMPTY)         \
  X(tendon, LIMITED, actfrclimited,    tendon_actfrclimited, COPY,  actfrcrange,    SN_FALSE)      \
  X(tendon, REAL,    actfrcrange,      tendon_actfrcrange,   COPY,  FINITE,         0)             \
  X(tendon, REAL,    armature,         tendon_armature,      COPY,  NOT_NEGATIVE,   0)

#define SN_SPEC_FIELDS_wrap(X)                                                                     \
  X(wrap, INT,  type,      wrap_type,   CODE,  ANY,     SN_WRAP_NONE)                              \
  X(wrap, TEXT, object,    wrap_objid,  CODE,  ANY,     NULL)                                      \
  X(wrap, TEXT, sidesite,  wrap_prm,    CODE,  ANY,     NULL)                                      \
  X(wrap, REAL, prm,       wrap_prm,    CODE,  FINITE,  0)

#define SN_SPEC_FIELDS_actuator(X)                                                                 \
  X(actuator, TEXT,    name,          name_actuatoradr,       CODE,  ANY,         NULL)            \
  X(actuator, TEXT,    target,        actuator_trnid,         CODE,  ANY,         NULL)            \
  X(actuator, NAME,    refsite,       actuator_trnid,         CODE,  site,        DEPENDS)         \
  X(actuator, TEXT,    dyntype,       actuator_dynname,       CODE,  ANY,         "none")          \
  X(actuator, TEXT,    gaintype,      actuator_gainname,      CODE,  ANY,         "fixed")         \
  X(actuator, TEXT,    biastype,      actuator_biasname,      CODE,  ANY,         "none")          \
  X(actuator, INT,     trntype,       actuator_trntype,       COPY,  ANY,         SN_TRN_JOINT)    \
  X(actuator, INT,     group,         actuator_group,         COPY,  ANY,         0)               \
  X(actuator, LIMITED, ctrllimited,   actuator_ctrllimited,   CODE,  ctrlrange,   SN_FALSE)        \
  X(actuator, LIMITED, forcelimited,  actuator_forcelimited,  COPY,  forcerange,  SN_FALSE)        \
  X(actuator, LIMITED, actlimited,    actuator_actlimited,    CODE,  actrange,    SN_FALSE)        \
  X(actuator, FLAG,    actearly,      actuator_actearly,      COPY,  ANY,         0)               \
  X(actuator, REAL,    dynprm,        actuator_dynprm,        START, FINITE,      1, 0)            \
  X(actuator, REAL,    gainprm,       actuator_gainprm,       START, FINITE,      1, 0)            \
  X(actuator, REAL,    biasprm,       actuator_biasprm,       START, FINITE,      0)               \
  X(actuator, REAL,    ctrlrange,     actuator_ctrlrange,     START, FINITE,      0)               \
  X(actuator, REAL,    forcerange,    actuator_forcerange,    COPY,  FINITE,      0)               \
  X(actuator, REAL,    actrange,      actuator_actrange,      START, FINITE,      0)               \
  X(actuator, REAL,    lengthrange,   actuator_lengthrange,   START, FINITE,      0)               \
  X(actuator, REAL,    gear,          actuator_gear,          COPY,  FINITE,      1, 0)            \
  X(actuator, REAL,    cranklength,   actuator_cranklength,   COPY,  FINITE,      0)               \
  X(actuator, TEXT,    attributes,    actuator_attradr,       CODE,  ANY,         NULL)            \
  X(actuator, REALS,   user,          actuator_user,          USER,  nuser_actuator, EMPTY)        \
  X(actuator, REAL,    dampratio,     actuator_biasprm,       CODE,  FINITE,      0)               \
  X(actuator, REAL,    inheritctrl,   actuator_ctrlrange,     CODE,  FINITE,      0)               \
  X(actuator, REAL,    inheritact,    actuator_actrange,      CODE,  FINITE,      0)               \
  X(actuator, INT,     actdim,        actuator_actnum,        CODE,  ANY,         0)

#define SN_SPEC_FIELDS_sensor(X)                                                                   \
  X(sensor, TEXT,  name,        name_sensoradr,   CODE,  ANY,           NULL)                      \
  X(sensor, TEXT,  type,        sensor_typename,  CODE,  ANY,           NULL)                      \
  X(sensor, TEXT,  objtype,     sensor_objtypename, CODE,  ANY,           NULL)                  \
  X(sensor, TEXT,  object,      sensor_objid,     CODE,  ANY,           NULL)                      \
  X(sensor, TEXT,  reftype,     sensor_reftypename, CODE,  ANY,           NULL)                  \
  X(sensor, TEXT,  refobject,   sensor_refid,     CODE,  ANY,           NULL)                      \
  X(sensor, INT,   datatype,    sensor_datatype,  CODE,  ANY,           0)                         \
  X(sensor, INT,   stage,       sensor_needstage, CODE,  ANY,           0)                         \
  X(sensor, INT,   dim,         sensor_dim,       CODE,  ANY,           0)                         \
  X(sensor, REAL,  cutoff,      sensor_cutoff,    COPY,  NOT_NEGATIVE,  0)                         \
  X(sensor, REAL,  noise,       sensor_noise,     COPY,  NOT_NEGATIVE,  0)                         \
  X(sensor, TEXT,  attributes,  sensor_attradr,   CODE,  ANY,           NULL)                      \
  X(sensor, REALS, user,        sensor_user,      USER,  nuser_sensor,  EMPTY)

#define SN_SPEC_FIELDS_force(X)                                                                    \
  X(force, TEXT, name,        name_forceadr,  CODE,  ANY,  NULL)                                   \
  X(force, TEXT, type,        force_typename, CODE,  ANY,  NULL)                                   \
  X(force, TEXT, attributes,  force_attradr,  CODE,  ANY,  NULL)

#define SN_SPEC_FIELDS_numeric(X)                                                                  \
  X(numeric, TEXT,  name,    name_numericadr, CODE,  ANY,  NULL)                                   \
  X(numeric, INT,   length,  numeric_size,    CODE,  ANY,  -1)                                     \
  X(numeric, REALS, data,    numeric_data,    CODE,  ANY,  EMPTY)

#define SN_SPEC_FIELDS_text(X)                                                                     \
  X(text, TEXT, name,  name_textadr, CODE,  ANY,  NULL)                                            \
  X(text, TEXT, data,  text_data,    CODE,  ANY,  NULL)

#define SN_SPEC_FIELDS_tuple(X)                                                                    \
  X(tuple, TEXT,  name,  name_tupleadr, CODE,  ANY,    NULL)                                       \
  X(tuple, ITEMS, item,  tuple_adr,     CODE,  nitem,  item)

#define SN_SPEC_FIELDS_item(X)                                                                     \
  X(item, TEXT, objtype,  tuple_objtype, CODE,  ANY,     NULL)                                     \
  X(item, TEXT, object,   tuple_objid,   CODE,  ANY,     NULL)                                     \
  X(item, REAL, prm,      tuple_objprm,  CODE,  FINITE,  0)

#define SN_SPEC_FIELDS_key(X)                                                                      \
  X(key, TEXT,  name,   name_keyadr, CODE,  ANY,     NULL)                                         \
  X(key, REAL,  time,   key_time,    COPY,  FINITE,  0)                                            \
  X(key, REALS, qpos,   key_qpos,    ROW,   ANY,     EMPTY)                                        \
  X(key, REALS, qvel,   key_qvel,    ROW,   ANY,     EMPTY)                                        \
  X(key, REALS, act,    key_act,     ROW,   ANY,     EMPTY)                                        \
  X(key, REALS, ctrl,   key_ctrl,    ROW,   ANY,     EMPTY)                                        \
  X(key, REALS, mpos,   key_mpos,    ROW,   ANY,     EMPTY)                                        \
  X(key, REALS, mquat,  key_mquat,   ROW,   ANY,     EMPTY)
// clang-format on

#endif
