// SPDX-License-Identifier: Apache-2.0
//
// Every element of MJCF 2.2 with its multiplicity and its attributes, as documented; and what the
// loader reads beyond that.

#ifndef TESTS_MJCF_ELEMENTS_H
#define TESTS_MJCF_ELEMENTS_H

// clang-format off

// path below mujoco, multiplicity, attributes
static const char *const mjcf_elements[][3] = {
  { "compiler", "*",
    "autolimits boundmass boundinertia settotalmass balanceinertia strippath "
    "coordinate angle fitaabb eulerseq meshdir texturedir discardvisual convexhull "
    "usethread fusestatic inertiafromgeom inertiagrouprange exactmeshinertia" },
  { "compiler/lengthrange", "?",
    "mode useexisting uselimit accel maxforce timeconst timestep inttotal inteval "
    "tolrange" },
  { "option", "*",
    "timestep apirate impratio tolerance noslip_tolerance mpr_tolerance gravity "
    "wind magnetic density viscosity o_margin o_solref o_solimp integrator "
    "collision cone jacobian solver iterations noslip_iterations mpr_iterations" },
  { "option/flag", "?",
    "constraint equality frictionloss limit contact passive gravity clampctrl "
    "warmstart filterparent actuation refsafe sensor override energy fwdinv "
    "sensornoise multiccd" },
  { "size", "*",
    "njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom "
    "nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor" },
  { "visual", "*", "" },
  { "visual/global", "?", "fovy ipd azimuth elevation linewidth glow offwidth offheight" },
  { "visual/quality", "?", "shadowsize offsamples numslices numstacks numquads" },
  { "visual/headlight", "?", "ambient diffuse specular active" },
  { "visual/map", "?",
    "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze "
    "shadowclip shadowscale actuatortendon" },
  { "visual/scale", "?",
    "forcewidth contactwidth contactheight connect com camera light selectpoint "
    "jointlength jointwidth actuatorlength actuatorwidth framelength framewidth "
    "constraint slidercrank" },
  { "visual/rgba", "?",
    "fog haze force inertia joint actuator actuatornegative actuatorpositive com "
    "camera light selectpoint connect contactpoint contactforce contactfriction "
    "contacttorque contactgap rangefinder constraint slidercrank crankbroken" },
  { "statistic", "*", "meaninertia meanmass meansize extent center" },
  { "default", "R", "class" },
  { "default/mesh", "?", "scale" },
  { "default/material", "?",
    "texture emission specular shininess reflectance rgba texrepeat texuniform" },
  { "default/joint", "?",
    "type group pos axis springdamper limited solreflimit solimplimit "
    "solreffriction solimpfriction stiffness range margin ref springref armature "
    "damping frictionloss user" },
  { "default/geom", "?",
    "type pos quat contype conaffinity condim group priority size material "
    "friction mass density shellinertia solmix solref solimp margin gap fromto "
    "axisangle xyaxes zaxis euler hfield mesh fitscale rgba fluidshape fluidcoef "
    "user" },
  { "default/site", "?",
    "type group pos quat material size fromto axisangle xyaxes zaxis euler rgba "
    "user" },
  { "default/camera", "?", "fovy ipd pos quat axisangle xyaxes zaxis euler mode user" },
  { "default/light", "?",
    "pos dir directional castshadow active attenuation cutoff exponent ambient "
    "diffuse specular mode" },
  { "default/pair", "?", "condim friction solref solimp gap margin" },
  { "default/equality", "?", "active solref solimp" },
  { "default/tendon", "?",
    "group limited range solreflimit solimplimit solreffriction solimpfriction "
    "frictionloss springlength width material margin stiffness damping rgba user" },
  { "default/general", "?",
    "ctrllimited forcelimited actlimited ctrlrange forcerange actrange gear "
    "cranklength user group dyntype gaintype biastype dynprm gainprm biasprm" },
  { "default/motor", "?",
    "ctrllimited forcelimited ctrlrange forcerange gear cranklength user group" },
  { "default/position", "?",
    "ctrllimited forcelimited ctrlrange forcerange gear cranklength user group kp" },
  { "default/velocity", "?",
    "ctrllimited forcelimited ctrlrange forcerange gear cranklength user group kv" },
  { "default/intvelocity", "?",
    "ctrllimited forcelimited ctrlrange forcerange actrange gear cranklength user "
    "group kp" },
  { "default/damper", "?", "forcelimited ctrlrange forcerange gear cranklength user group kv" },
  { "default/cylinder", "?",
    "ctrllimited forcelimited ctrlrange forcerange gear cranklength user group "
    "timeconst area diameter bias" },
  { "default/muscle", "?",
    "ctrllimited forcelimited ctrlrange forcerange gear cranklength user group "
    "timeconst range force scale lmin lmax vmax fpmax fvmax" },
  { "default/adhesion", "?", "forcelimited ctrlrange forcerange gain user group" },
  { "custom", "*", "" },
  { "custom/numeric", "*", "name size data" },
  { "custom/text", "*", "name data" },
  { "custom/tuple", "*", "name" },
  { "custom/tuple/element", "*", "objtype objname prm" },
  { "asset", "*", "" },
  { "asset/texture", "*",
    "name type file gridsize gridlayout fileright fileleft fileup filedown "
    "filefront fileback builtin rgb1 rgb2 mark markrgb random width height hflip "
    "vflip" },
  { "asset/hfield", "*", "name file nrow ncol size" },
  { "asset/mesh", "*",
    "name class file vertex normal texcoord face refpos refquat scale smoothnormal" },
  { "asset/skin", "*", "name file material rgba inflate vertex texcoord face group" },
  { "asset/skin/bone", "*", "body bindpos bindquat vertid vertweight" },
  { "asset/material", "*",
    "name class texture texrepeat texuniform emission specular shininess "
    "reflectance rgba" },
  { "body", "R", "name childclass pos quat mocap axisangle xyaxes zaxis euler user" },
  { "body/inertial", "?", "pos quat mass diaginertia axisangle xyaxes zaxis euler fullinertia" },
  { "body/joint", "*",
    "name class type group pos axis springdamper limited solreflimit solimplimit "
    "solreffriction solimpfriction stiffness range margin ref springref armature "
    "damping frictionloss user" },
  { "body/freejoint", "*", "name group" },
  { "body/geom", "*",
    "name class type contype conaffinity condim group priority size material "
    "friction mass density shellinertia solmix solref solimp margin gap fromto pos "
    "quat axisangle xyaxes zaxis euler hfield mesh fitscale rgba fluidshape "
    "fluidcoef user" },
  { "body/site", "*",
    "name class type group pos quat material size fromto axisangle xyaxes zaxis "
    "euler rgba user" },
  { "body/camera", "*",
    "name class fovy ipd pos quat axisangle xyaxes zaxis euler mode target user" },
  { "body/light", "*",
    "name class directional castshadow active pos dir attenuation cutoff exponent "
    "ambient diffuse specular mode target" },
  { "body/composite", "*",
    "prefix type count spacing offset flatinertia solrefsmooth solimpsmooth curve size vertex "
    "initial" },
  { "body/composite/joint", "*",
    "kind group stiffness damping armature solreffix solimpfix limited range "
    "margin solreflimit solimplimit frictionloss solreffriction solimpfriction" },
  { "body/composite/tendon", "*",
    "kind group stiffness damping solreffix solimpfix limited range margin "
    "solreflimit solimplimit frictionloss solreffriction solimpfriction material "
    "rgba width" },
  { "body/composite/skin", "?", "texcoord material group rgba inflate subgrid" },
  { "body/composite/geom", "?",
    "type contype conaffinity condim group priority size material rgba friction "
    "mass density solmix solref solimp margin gap" },
  { "body/composite/site", "?", "group size material rgba" },
  { "body/composite/pin", "*", "coord" },
  { "body/composite/plugin", "*", "plugin instance" },
  { "contact", "*", "" },
  { "contact/pair", "*", "name class geom1 geom2 condim friction solref solimp gap margin" },
  { "contact/exclude", "*", "name body1 body2" },
  { "equality", "*", "" },
  { "equality/connect", "*", "name class body1 body2 anchor active solref solimp" },
  { "equality/weld", "*",
    "name class body1 body2 relpose anchor active solref solimp torquescale" },
  { "equality/joint", "*", "name class joint1 joint2 polycoef active solref solimp" },
  { "equality/tendon", "*", "name class tendon1 tendon2 polycoef active solref solimp" },
  { "equality/distance", "*", "name class geom1 geom2 distance active solref solimp" },
  { "tendon", "*", "" },
  { "tendon/spatial", "*",
    "name class group limited range solreflimit solimplimit solreffriction "
    "solimpfriction frictionloss springlength width material margin stiffness "
    "damping rgba user" },
  { "tendon/spatial/site", "*", "site" },
  { "tendon/spatial/geom", "*", "geom sidesite" },
  { "tendon/spatial/pulley", "*", "divisor" },
  { "tendon/fixed", "*",
    "name class group limited range solreflimit solimplimit solreffriction "
    "solimpfriction frictionloss springlength margin stiffness damping user" },
  { "tendon/fixed/joint", "*", "joint coef" },
  { "actuator", "*", "" },
  { "actuator/general", "*",
    "name class group ctrllimited forcelimited actlimited ctrlrange forcerange "
    "actrange lengthrange gear cranklength user joint jointinparent tendon "
    "slidersite cranksite site refsite body dyntype gaintype biastype dynprm "
    "gainprm biasprm" },
  { "actuator/motor", "*",
    "name class group ctrllimited forcelimited ctrlrange forcerange lengthrange "
    "gear cranklength user joint jointinparent tendon slidersite cranksite site "
    "refsite" },
  { "actuator/position", "*",
    "name class group ctrllimited forcelimited ctrlrange forcerange lengthrange "
    "gear cranklength user joint jointinparent tendon slidersite cranksite site "
    "refsite kp" },
  { "actuator/velocity", "*",
    "name class group ctrllimited forcelimited ctrlrange forcerange lengthrange "
    "gear cranklength user joint jointinparent tendon slidersite cranksite site "
    "refsite kv" },
  { "actuator/intvelocity", "*",
    "name class group ctrllimited forcelimited ctrlrange forcerange actrange "
    "lengthrange gear cranklength user joint jointinparent tendon slidersite "
    "cranksite site refsite kp" },
  { "actuator/damper", "*",
    "name class group forcelimited ctrlrange forcerange lengthrange gear "
    "cranklength user joint jointinparent tendon slidersite cranksite site refsite "
    "kv" },
  { "actuator/cylinder", "*",
    "name class group ctrllimited forcelimited ctrlrange forcerange lengthrange "
    "gear cranklength user joint jointinparent tendon slidersite cranksite site "
    "refsite timeconst area diameter bias" },
  { "actuator/muscle", "*",
    "name class group ctrllimited forcelimited ctrlrange forcerange lengthrange "
    "gear cranklength user joint jointinparent tendon slidersite cranksite "
    "timeconst range force scale lmin lmax vmax fpmax fvmax" },
  { "actuator/adhesion", "*",
    "name class group forcelimited ctrlrange forcerange user body gain" },
  { "sensor", "*", "" },
  { "sensor/touch", "*", "name site cutoff noise user" },
  { "sensor/accelerometer", "*", "name site cutoff noise user" },
  { "sensor/velocimeter", "*", "name site cutoff noise user" },
  { "sensor/gyro", "*", "name site cutoff noise user" },
  { "sensor/force", "*", "name site cutoff noise user" },
  { "sensor/torque", "*", "name site cutoff noise user" },
  { "sensor/magnetometer", "*", "name site cutoff noise user" },
  { "sensor/rangefinder", "*", "name site cutoff noise user" },
  { "sensor/jointpos", "*", "name joint cutoff noise user" },
  { "sensor/jointvel", "*", "name joint cutoff noise user" },
  { "sensor/tendonpos", "*", "name tendon cutoff noise user" },
  { "sensor/tendonvel", "*", "name tendon cutoff noise user" },
  { "sensor/actuatorpos", "*", "name actuator cutoff noise user" },
  { "sensor/actuatorvel", "*", "name actuator cutoff noise user" },
  { "sensor/actuatorfrc", "*", "name actuator cutoff noise user" },
  { "sensor/ballquat", "*", "name joint cutoff noise user" },
  { "sensor/ballangvel", "*", "name joint cutoff noise user" },
  { "sensor/jointlimitpos", "*", "name joint cutoff noise user" },
  { "sensor/jointlimitvel", "*", "name joint cutoff noise user" },
  { "sensor/jointlimitfrc", "*", "name joint cutoff noise user" },
  { "sensor/tendonlimitpos", "*", "name tendon cutoff noise user" },
  { "sensor/tendonlimitvel", "*", "name tendon cutoff noise user" },
  { "sensor/tendonlimitfrc", "*", "name tendon cutoff noise user" },
  { "sensor/framepos", "*", "name objtype objname reftype refname cutoff noise user" },
  { "sensor/framequat", "*", "name objtype objname reftype refname cutoff noise user" },
  { "sensor/framexaxis", "*", "name objtype objname reftype refname cutoff noise user" },
  { "sensor/frameyaxis", "*", "name objtype objname reftype refname cutoff noise user" },
  { "sensor/framezaxis", "*", "name objtype objname reftype refname cutoff noise user" },
  { "sensor/framelinvel", "*", "name objtype objname reftype refname cutoff noise user" },
  { "sensor/frameangvel", "*", "name objtype objname reftype refname cutoff noise user" },
  { "sensor/framelinacc", "*", "name objtype objname cutoff noise user" },
  { "sensor/frameangacc", "*", "name objtype objname cutoff noise user" },
  { "sensor/subtreecom", "*", "name body cutoff noise user" },
  { "sensor/subtreelinvel", "*", "name body cutoff noise user" },
  { "sensor/subtreeangmom", "*", "name body cutoff noise user" },
  { "sensor/clock", "*", "name cutoff noise user" },
  { "sensor/user", "*", "name objtype objname datatype needstage dim cutoff noise user" },
  { "sensor/plugin", "*",
    "type name objtype objname reftype refname datatype needstage dim cutoff noise user" },
  { "extension", "*", "" },
  { "extension/force", "*", "type name" },
  { "keyframe", "*", "" },
  { "keyframe/key", "*", "name time qpos qvel act mpos mquat ctrl" },
};

// clang-format on

#endif
