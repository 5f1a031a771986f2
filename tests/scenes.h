// SPDX-License-Identifier: Apache-2.0
//
// The scenes that tests and the benchmark share: the models of samples/, and those that come with
// the reference engine.

#ifndef SINEW_TESTS_SCENES_H
#define SINEW_TESTS_SCENES_H

#define SAMPLE(name) SN_TEST_SOURCE "/samples/models/" name ".xml"
#define REFERENCE(name) "/usr/share/mujoco/model/" name ".xml"

enum {
  SCENE_REQUIRED = 1,   // must load; others may use what is not built yet
  SCENE_CONTACT = 2     // makes contacts
};

typedef struct scene {
  const char *name, *path;
  int key;              // starts from this keyframe; -1: from the default state
  int flags;
  int steps;            // of a benchmark run
} scene;

static const scene scenes[] = {
  { "pendulum", SAMPLE("pendulum"), -1, SCENE_REQUIRED, 20000 },
  { "double pendulum", SAMPLE("double_pendulum"), -1, SCENE_REQUIRED, 20000 },
  { "tumbling box", SAMPLE("tumbling_box"), 0, SCENE_REQUIRED, 20000 },
  { "chain", SAMPLE("chain"), -1, SCENE_REQUIRED, 10000 },
  { "cart and pole", SAMPLE("cart_pole"), 0, SCENE_REQUIRED, 10000 },
  { "arm", SAMPLE("arm"), 0, SCENE_REQUIRED, 5000 },
  { "figure", SAMPLE("figure"), -1, SCENE_REQUIRED | SCENE_CONTACT, 3000 },
  { "stack", SAMPLE("stack"), -1, SCENE_REQUIRED | SCENE_CONTACT, 2000 },
  { "tray", SAMPLE("tray"), -1, SCENE_REQUIRED | SCENE_CONTACT, 1000 },
  { "paddle", SAMPLE("paddle"), -1, SCENE_REQUIRED | SCENE_CONTACT, 5000 },
  { "humanoid", REFERENCE("humanoid/humanoid"), -1, SCENE_REQUIRED | SCENE_CONTACT, 5000 },
  { "22_humanoids", REFERENCE("humanoid/22_humanoids"), -1, SCENE_REQUIRED | SCENE_CONTACT, 300 },
  { "humanoid100", REFERENCE("humanoid100/humanoid100"), -1, SCENE_REQUIRED | SCENE_CONTACT, 600 },
  { "active_adhesion", REFERENCE("adhesion/active_adhesion"), -1, SCENE_CONTACT, 1000 },
  { "cloth", REFERENCE("composite/cloth"), -1, SCENE_CONTACT, 500 },
  { "grid2pin", REFERENCE("composite/grid2pin"), -1, SCENE_CONTACT, 500 },
  { "loop", REFERENCE("composite/loop"), -1, SCENE_CONTACT, 1000 },
  { "particle", REFERENCE("composite/particle"), -1, SCENE_CONTACT, 100 },
  { "rope", REFERENCE("composite/rope"), -1, SCENE_CONTACT, 1000 },
  { "softbox", REFERENCE("composite/softbox"), -1, SCENE_CONTACT, 500 },
  { "flag", REFERENCE("flag/flag"), -1, 0, 500 },
  { "hammock", REFERENCE("hammock/hammock"), -1, SCENE_CONTACT, 500 },
  { "mug", REFERENCE("mug/mug"), -1, SCENE_CONTACT, 10000 },
  { "slider_crank", REFERENCE("slider_crank/slider_crank"), -1, 0, 20000 },
  { "arm26", REFERENCE("tendon_arm/arm26"), -1, 0, 20000 },
};
enum { NSCENES = sizeof scenes / sizeof scenes[0] };

#endif
