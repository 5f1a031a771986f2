// SPDX-License-Identifier: Apache-2.0
//
// The schema of MJCF as tables of the rows that rows/rows.h describes.

#ifndef LOADERS_MJCF_SCHEMA_SCHEMA_H
#define LOADERS_MJCF_SCHEMA_SCHEMA_H

#include "mjcf/rows/rows.h"

extern const mjcf_element mjcf_root;   // mujoco
extern const mjcf_element mjcf_default_children[];
extern const mjcf_element mjcf_asset_children[];
extern const mjcf_element mjcf_body_children[];
extern const mjcf_element mjcf_actuator_children[];
extern const mjcf_element mjcf_sensor_children[];
extern const mjcf_element mjcf_config_children[];
extern const mjcf_element mjcf_composite_children[];
extern const mjcf_element mjcf_include;

// groups that several files of the schema use
extern const mjcf_attr mjcf_material_attrs[], mjcf_joint_attrs[], mjcf_geom_attrs[];
extern const mjcf_attr mjcf_site_attrs[], mjcf_camera_attrs[], mjcf_light_attrs[];
extern const mjcf_attr mjcf_mesh_class_attrs[], mjcf_pair_attrs[], mjcf_equality_attrs[];
extern const mjcf_attr mjcf_tendon_attrs[], mjcf_tendon_look_attrs[];
extern const mjcf_attr mjcf_act_base[], mjcf_act_range[], mjcf_act_limited[], mjcf_act_gear[];
extern const mjcf_attr mjcf_act_law[], mjcf_act_kv[], mjcf_act_servo[], mjcf_act_actrange[];
extern const mjcf_attr mjcf_act_cylinder[], mjcf_act_muscle[], mjcf_act_gain[];
extern const mjcf_attr mjcf_act_own_range[], mjcf_act_timeconst[];
extern const mjcf_attr mjcf_composite_attrs[];
extern const xml_word mjcf_geom_types[];

#endif
