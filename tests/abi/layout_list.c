// SPDX-License-Identifier: Apache-2.0
//
// Every public struct with its members, in the order of the headers. Those made from tables are
// listed from the same tables. A new member is added here too.

#include "layout.h"

#include "sinew/actuator.h"
#include "sinew/executor.h"
#include "sinew/filter.h"
#include "sinew/integrator.h"
#include "sinew/mesh.h"
#include "sinew/passive.h"
#include "sinew/sensor.h"
#include "sinew/sinew.h"
#include "sinew/solver.h"

// clang-format off

#define GROWS(type) show_struct(#type, sizeof(self), 0)
#define FROZEN(type) show_struct(#type, sizeof(self), 1)
#define M(name) show_member(#name, offsetof(self, name), sizeof(((self *)0)->name))

// ------------------------------------------------------------------ the structs, by header

static void show_plugin(void) {
  {
    typedef sn_sparse self;
    FROZEN(sn_sparse);
    M(nnz); M(adr); M(col); M(val); M(nrow); M(ncol);
  }
  {
    typedef sn_scratch self;
    GROWS(sn_scratch);
    M(size); M(reserved); M(alloc);
  }
  {
    typedef sn_provide self;
    FROZEN(sn_provide);
    M(kind); M(name); M(ops);
  }
  {
    typedef sn_plugin self;
    GROWS(sn_plugin);
    M(magic); M(size); M(abi_major); M(abi_minor_needed); M(real_size); M(reserved); M(name);
    M(version); M(license); M(summary); M(provides); M(init); M(fini);
  }
  {
    typedef sn_param self;
    FROZEN(sn_param);
    M(name); M(default_value); M(choices); M(summary); M(min); M(max); M(type); M(reserved);
  }
  {
    typedef sn_value self;
    FROZEN(sn_value);
    M(real); M(integer); M(text);
  }
  {
    typedef sn_ops self;
    FROZEN(sn_ops);
    M(size); M(flags); M(summary); M(params); M(create); M(destroy);
  }
  {
    typedef sn_host self;
    GROWS(sn_host);
    M(size); M(abi_major); M(abi_minor); M(reserved); M(version); M(query); M(log); M(alloc);
    M(free); M(error);
  }
}

static void show_services(void) {
  {
    typedef sn_inertia self;
    FROZEN(sn_inertia);
    M(nv); M(nM); M(parent); M(adr); M(M); M(L); M(Dinv);
  }
  {
    typedef sn_inertia_service self;
    GROWS(sn_inertia_service);
    M(size); M(reserved); M(multiply); M(solve);
  }
  {
    typedef sn_field self;
    FROZEN(sn_field);
    M(index); M(type); M(rows); M(cols);
  }
  {
    typedef sn_model_view self;
    GROWS(sn_model_view);
    M(size); M(reserved); M(model); M(fields);
  }
  {
    typedef sn_data_view self;
    GROWS(sn_data_view);
    M(size); M(reserved); M(data); M(fields); M(model);
  }
  {
    typedef sn_fields_service self;
    GROWS(sn_fields_service);
    M(size); M(reserved); M(model_field); M(data_field); M(size_of); M(count_of); M(find);
    M(option); M(option_int);
  }
  {
    typedef sn_random_service self;
    GROWS(sn_random_service);
    M(size); M(reserved); M(uniform); M(normal);
  }
}

static void show_solver(void) {
  {
    typedef sn_cone self;
    FROZEN(sn_cone);
    M(row); M(dim); M(mu); M(friction);
  }
  {
    typedef sn_block self;
    FROZEN(sn_block);
    M(row); M(nrow);
  }
  {
    typedef sn_problem self;
    GROWS(sn_problem);
    M(size); M(jacobian); M(nv); M(nefc); M(ne); M(nf); M(qacc_smooth); M(qfrc_smooth);
    M(qacc_start); M(inertia); M(J); M(nblock); M(block); M(type); M(D); M(R); M(aref);
    M(frictionloss); M(ncone); M(cone); M(tolerance); M(scale); M(noslip_tolerance); M(iterations);
    M(noslip_iterations); M(dual); M(force_start);
  }
  {
    typedef sn_iteration self;
    FROZEN(sn_iteration);
    M(improvement); M(gradient); M(lineslope); M(nactive); M(nchange); M(neval); M(reserved);
  }
  {
    typedef sn_solution self;
    GROWS(sn_solution);
    M(size); M(iterations); M(qacc); M(force); M(state); M(iteration); M(ncapacity);
  }
  {
    typedef sn_solver_ops self;
    GROWS(sn_solver_ops);
    M(head); M(solve);
  }
}

static void show_collider(void) {
  {
    typedef sn_mesh_view self;
    FROZEN(sn_mesh_view);
    M(nvert); M(nface); M(vert); M(face); M(ngraph); M(graph);
  }
  {
    typedef sn_hfield_view self;
    FROZEN(sn_hfield_view);
    M(nrow); M(ncol); M(data); M(size);
  }
  {
    typedef sn_shape self;
    FROZEN(sn_shape);
    M(type); M(id); M(size); M(pos); M(mat); M(mesh); M(hfield);
  }
  {
    typedef sn_contact_point self;
    FROZEN(sn_contact_point);
    M(pair); M(reserved); M(dist); M(pos); M(normal); M(tangent);
  }
  {
    typedef sn_batch self;
    GROWS(sn_batch);
    M(size); M(flags); M(n); M(first); M(second); M(margin); M(tolerance); M(iterations);
    M(cache);
  }
  {
    typedef sn_contact_list self;
    GROWS(sn_contact_list);
    M(size); M(dropped); M(capacity); M(count); M(point);
  }
  {
    typedef sn_collider_pair self;
    FROZEN(sn_collider_pair);
    M(first); M(second);
  }
  {
    typedef sn_collider_ops self;
    GROWS(sn_collider_ops);
    M(head); M(pairs); M(max_points); M(cache_reals); M(collide); M(distance); M(ray);
  }
}

static void show_laws(void) {
  {
    typedef sn_stepper self;
    GROWS(sn_stepper);
    M(size); M(reserved); M(context); M(h); M(nq); M(nv); M(na); M(time); M(qpos); M(qvel); M(act);
    M(qacc); M(act_dot); M(evaluate); M(advance_position); M(advance_activation); M(implicit);
  }
  {
    typedef sn_integrator_ops self;
    GROWS(sn_integrator_ops);
    M(head); M(order); M(evaluations); M(step);
  }
  {
    typedef sn_actuators self;
    GROWS(sn_actuators);
    M(size); M(nstate); M(n); M(prm); M(ctrl); M(act); M(length); M(velocity); M(lengthrange);
    M(acc0); M(h); M(time);
  }
  {
    typedef sn_dynamics_ops self;
    GROWS(sn_dynamics_ops);
    M(head); M(states); M(rate); M(advance); M(check); M(numbers);
  }
  {
    typedef sn_force_ops self;
    GROWS(sn_force_ops);
    M(head); M(value); M(dvelocity); M(check); M(numbers);
  }
  {
    typedef sn_sensor self;
    FROZEN(sn_sensor);
    M(id); M(objid); M(refid); M(dim); M(adr); M(nstate); M(objtype); M(reftype); M(values);
  }
  {
    typedef sn_sensor_ops self;
    GROWS(sn_sensor_ops);
    M(head); M(stage); M(datatype); M(dim); M(nstate); M(objects); M(references); M(needs);
    M(dimension); M(bind); M(unbind); M(evaluate); M(attributes);
  }
  {
    typedef sn_passive_ops self;
    GROWS(sn_passive_ops);
    M(head); M(bind); M(unbind); M(apply); M(derive); M(attributes);
  }
  {
    typedef sn_filter_ops self;
    GROWS(sn_filter_ops);
    M(head); M(bind); M(unbind); M(select);
  }
}

static void show_files(void) {
  {
    typedef sn_mesh_sink self;
    GROWS(sn_mesh_sink);
    M(size); M(reserved); M(context); M(vertices); M(normals); M(texcoords); M(faces); M(graph);
    M(piece); M(pixels); M(reserve);
  }
  {
    typedef sn_mesh_ops self;
    GROWS(sn_mesh_ops);
    M(head); M(extensions); M(decode); M(hull); M(decompose); M(images); M(image);
  }
  {
    typedef sn_job self;
    GROWS(sn_job);
    M(size); M(reserved); M(context); M(ntask); M(broadcast); M(nbroadcast); M(results); M(nresult);
    M(open); M(close); M(run); M(progress);
  }
  {
    typedef sn_executor_ops self;
    GROWS(sn_executor_ops);
    M(head); M(workers); M(run);
  }
  {
    typedef sn_source self;
    GROWS(sn_source);
    M(size); M(reserved); M(context); M(name); M(bytes); M(count); M(open); M(close);
    M(check); M(list); M(reserve);
  }
  {
    typedef sn_sink self;
    GROWS(sn_sink);
    M(size); M(reserved); M(context); M(write); M(open);
  }
  {
    typedef sn_loader_ops self;
    GROWS(sn_loader_ops);
    M(head); M(extensions); M(probe); M(load); M(save); M(describe);
  }
}

static void show_elements(void) {
  {
    typedef sn_location self;
    FROZEN(sn_location);
    M(file); M(line); M(column);
  }
  {
    typedef sn_reals self;
    FROZEN(sn_reals);
    M(p); M(n);
  }
  {
    typedef sn_ints self;
    FROZEN(sn_ints);
    M(p); M(n);
  }
  {
    typedef sn_orient self;
    FROZEN(sn_orient);
    M(quat); M(axisangle); M(euler); M(xyaxes); M(zaxis);
  }
  {
    typedef sn_body_def self;
    GROWS(sn_body_def);
    M(def_size); M(reserved0); M(name); M(parent); M(mocap); M(pos); M(orient); M(gravcomp);
    M(inertial); M(reserved1); M(ipos); M(iorient); M(mass); M(diaginertia); M(fullinertia);
    M(user);
  }
  {
    typedef sn_joint_def self;
    GROWS(sn_joint_def);
    M(def_size); M(reserved0); M(name); M(body); M(type); M(group); M(limited); M(pos); M(axis);
    M(springdamper); M(range); M(margin); M(ref); M(springref); M(stiffness); M(damping);
    M(armature); M(frictionloss); M(solref_limit); M(solimp_limit); M(solref_friction);
    M(solimp_friction); M(user); M(dof_stiffness); M(dof_damping); M(dof_armature);
    M(dof_frictionloss); M(springquat);
  }
  {
    typedef sn_geom_def self;
    GROWS(sn_geom_def);
    M(def_size); M(reserved0); M(name); M(material); M(mesh); M(hfield); M(body); M(type);
    M(contype); M(conaffinity); M(condim); M(priority); M(group); M(shellinertia); M(fluid);
    M(reserved1); M(size); M(pos); M(orient); M(fromto); M(mass); M(density); M(friction);
    M(solmix); M(solref); M(solimp); M(margin); M(gap); M(fitscale); M(fluidcoef); M(rgba); M(user);
  }
  {
    typedef sn_site_def self;
    GROWS(sn_site_def);
    M(def_size); M(reserved0); M(name); M(material); M(body); M(type); M(group); M(reserved1);
    M(size); M(pos); M(orient); M(fromto); M(rgba); M(user);
  }
  {
    typedef sn_camera_def self;
    GROWS(sn_camera_def);
    M(def_size); M(reserved0); M(name); M(target); M(body); M(mode); M(pos); M(orient); M(fovy);
    M(ipd); M(user);
  }
  {
    typedef sn_light_def self;
    GROWS(sn_light_def);
    M(def_size); M(reserved0); M(name); M(target); M(body); M(mode); M(directional); M(castshadow);
    M(active); M(reserved1); M(pos); M(dir); M(attenuation); M(cutoff); M(exponent); M(ambient);
    M(diffuse); M(specular);
  }
}

static void show_assets(void) {
  {
    typedef sn_mesh_def self;
    GROWS(sn_mesh_def);
    M(def_size); M(reserved0); M(name); M(file); M(bytes); M(nbytes); M(vert); M(normal);
    M(texcoord); M(face); M(refpos); M(refquat); M(scale); M(smoothnormal); M(inertia);
  }
  {
    typedef sn_hfield_def self;
    GROWS(sn_hfield_def);
    M(def_size); M(reserved0); M(name); M(file); M(bytes); M(nbytes); M(nrow); M(ncol); M(extent);
    M(data);
  }
  {
    typedef sn_texture_def self;
    GROWS(sn_texture_def);
    M(def_size); M(reserved0); M(name); M(file); M(cubefile); M(bytes); M(nbytes); M(cubebytes);
    M(ncubebytes); M(gridlayout); M(gridsize); M(type); M(builtin); M(mark); M(hflip); M(vflip);
    M(width); M(height); M(reserved1); M(rgb1); M(rgb2); M(markrgb); M(random);
  }
  {
    typedef sn_material_def self;
    GROWS(sn_material_def);
    M(def_size); M(reserved0); M(name); M(texture); M(texuniform); M(reserved1); M(texrepeat);
    M(emission); M(specular); M(shininess); M(reflectance); M(rgba);
  }
  {
    typedef sn_bone_def self;
    FROZEN(sn_bone_def);
    M(body); M(bindpos); M(bindquat); M(vertid); M(vertweight);
  }
  {
    typedef sn_skin_def self;
    GROWS(sn_skin_def);
    M(def_size); M(reserved0); M(name); M(file); M(material); M(bytes); M(nbytes); M(group);
    M(reserved1); M(inflate); M(rgba); M(vert); M(texcoord); M(face); M(bone); M(nbone);
  }
}

static void show_relations(void) {
  {
    typedef sn_pair_def self;
    GROWS(sn_pair_def);
    M(def_size); M(reserved0); M(name); M(geom1); M(geom2); M(condim); M(reserved1); M(friction);
    M(solref); M(solimp); M(margin); M(gap);
  }
  {
    typedef sn_exclude_def self;
    GROWS(sn_exclude_def);
    M(def_size); M(reserved0); M(name); M(body1); M(body2);
  }
  {
    typedef sn_equality_def self;
    GROWS(sn_equality_def);
    M(def_size); M(reserved0); M(name); M(obj1); M(obj2); M(type); M(active); M(anchor); M(relpose);
    M(torquescale); M(polycoef); M(solref); M(solimp); M(sites); M(reserved2);
  }
  {
    typedef sn_wrap_def self;
    GROWS(sn_wrap_def);
    M(type); M(reserved); M(object); M(sidesite); M(prm);
  }
  {
    typedef sn_tendon_def self;
    GROWS(sn_tendon_def);
    M(def_size); M(reserved0); M(name); M(material); M(group); M(limited); M(range); M(margin);
    M(stiffness); M(damping); M(frictionloss); M(armature); M(springlength); M(width);
    M(solref_limit); M(solimp_limit); M(solref_friction); M(solimp_friction); M(rgba); M(wrap);
    M(nwrap); M(user);
  }
  {
    typedef sn_actuator_def self;
    GROWS(sn_actuator_def);
    M(def_size); M(reserved0); M(name); M(target); M(refsite); M(dyntype); M(gaintype); M(biastype);
    M(trntype); M(group); M(ctrllimited); M(forcelimited); M(actlimited); M(actearly); M(dynprm);
    M(gainprm); M(biasprm); M(ctrlrange); M(forcerange); M(actrange); M(lengthrange); M(gear);
    M(cranklength); M(attributes); M(user);
  }
  {
    typedef sn_sensor_def self;
    GROWS(sn_sensor_def);
    M(def_size); M(reserved0); M(name); M(type); M(objtype); M(object); M(reftype); M(refobject);
    M(datatype); M(stage); M(dim); M(reserved1); M(cutoff); M(noise); M(attributes); M(user);
  }
  {
    typedef sn_force_def self;
    GROWS(sn_force_def);
    M(def_size); M(reserved0); M(name); M(type); M(attributes);
  }
}

static void show_custom(void) {
  {
    typedef sn_numeric_def self;
    GROWS(sn_numeric_def);
    M(def_size); M(reserved0); M(name); M(length); M(data);
  }
  {
    typedef sn_text_def self;
    GROWS(sn_text_def);
    M(def_size); M(reserved0); M(name); M(data);
  }
  {
    typedef sn_tuple_item self;
    FROZEN(sn_tuple_item);
    M(objtype); M(object); M(prm);
  }
  {
    typedef sn_tuple_def self;
    GROWS(sn_tuple_def);
    M(def_size); M(reserved0); M(name); M(item); M(nitem);
  }
  {
    typedef sn_key_def self;
    GROWS(sn_key_def);
    M(def_size); M(reserved0); M(name); M(time); M(qpos); M(qvel); M(act); M(ctrl); M(mpos);
    M(mquat);
  }
}

static void show_application(void) {
  {
    typedef sn_provider_info self;
    GROWS(sn_provider_info);
    M(size); M(reserved); M(kind); M(name); M(summary); M(plugin); M(version); M(license); M(path);
    M(params); M(ops);
  }
  {
    typedef sn_config_info self;
    GROWS(sn_config_info);
    M(size); M(reserved); M(section); M(key); M(value); M(origin);
  }
  {
    typedef sn_view self;
    GROWS(sn_view);
    M(name); M(unit); M(meaning); M(p); M(rows); M(cols); M(type); M(dynamic);
  }
  {
    typedef sn_timing self;
    GROWS(sn_timing);
    M(name); M(group); M(meaning); M(seconds); M(calls);
  }
}

// what is made from tables is listed from the same tables
static void show_builder(void) {
  typedef sn_builder self;
  GROWS(sn_builder);
  M(size); M(reserved); M(spec); M(host); M(context);
#define SHOW_ADD(kind) M(add_##kind);
#define SHOW_GET(kind) M(get_##kind); M(set_##kind);
  SN_ELEMENTS_1_0(SHOW_ADD)
  SN_ELEMENTS_1_0(SHOW_GET)
  SN_SETTINGS_1_0(SHOW_GET)
  M(set_name); M(count); M(find); M(warn); M(get_name);
  M(orientation); M(inertia); M(get_location); M(locate_option);
  M(note); M(decode_mesh);
  M(principal_axes);
  SN_ELEMENTS_1_1(SHOW_ADD)
  SN_ELEMENTS_1_1(SHOW_GET)
  SN_SETTINGS_1_1(SHOW_GET)
}

#define SHOW_COUNTED(name, ...) M(name);
#define SHOW_ONE(name, value) M(name);
#define SHOW_SETTINGS(type, TABLE)                                                                 \
  {                                                                                                \
    typedef type self;                                                                             \
    GROWS(type);                                                                                   \
    M(def_size); M(reserved0);                                                                     \
    TABLE(SHOW_COUNTED, SHOW_ONE, SHOW_ONE)                                                        \
  }

static void show_settings(void) {
  SHOW_SETTINGS(sn_option, SN_OPTIONS)
  SHOW_SETTINGS(sn_compiler, SN_COMPILER)
  SHOW_SETTINGS(sn_size_hint, SN_SIZE_HINTS)
  SHOW_SETTINGS(sn_statistic, SN_STATISTICS)
  SHOW_SETTINGS(sn_visual, SN_VISUAL)
}

void show_all(void) {
  show_plugin();
  show_services();
  show_solver();
  show_collider();
  show_laws();
  show_files();
  show_elements();
  show_assets();
  show_relations();
  show_custom();
  show_application();
  show_builder();
  show_settings();
}
