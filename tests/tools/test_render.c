// SPDX-License-Identifier: Apache-2.0
//
// sinew render: the files that it writes, what it rejects, and that the command itself needs no
// graphics library. Images need a renderer of the build and OpenGL on this machine: without them
// the cases that draw pass with nothing tested.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinew/scene.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

static int can_draw(void) {
  output o = call("render pendulum -q --size 8x8 -o %s 2>&1", in_folder("probe.png"));
  const int good = o.status == 0;
  ck_assert_msg(good || strstr(o.text, "no renderer") || strstr(o.text, "no OpenGL"), "%s", o.text);
  done(&o);
  return good;
}

static char *read_file(const char *name, size_t *n) {
  FILE *f = fopen(in_folder(name), "rb");
  char *bytes = malloc(1 << 20);
  ck_assert(f && bytes);
  *n = fread(bytes, 1, 1 << 20, f);
  fclose(f);
  return bytes;
}

START_TEST(files) {
  if (!can_draw()) {
    return;
  }
  size_t n;
  char at[3][128];
  snprintf(at[0], 128, "%s", in_folder("a.png"));
  snprintf(at[1], 128, "%s", in_folder("d.npy"));
  snprintf(at[2], 128, "%s", in_folder("s.npy"));
  output o = call("render figure -q --size 40x30 --steps 0 -o %s --depth %s --segment %s 2>&1",
                  at[0], at[1], at[2]);
  expect(&o, 0);
  done(&o);
  char *png = read_file("a.png", &n);
  ck_assert_int_eq(
      memcmp(png, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x28\0\0\0\x1e\x08\x02\0\0\0", 29), 0);
  ck_assert_int_eq(memcmp(png + n - 8, "IEND\xae\x42\x60\x82", 8), 0);
  free(png);
  char *depth = read_file("d.npy", &n);
  ck_assert_int_eq(memcmp(depth, "\x93NUMPY\x01\0", 8), 0);
  ck_assert_ptr_nonnull(strstr(depth + 10, "'<f4', 'fortran_order': False, 'shape': (30, 40)"));
  ck_assert_uint_eq(n, 128 + 40 * 30 * 4);
  free(depth);
  char *segment = read_file("s.npy", &n);
  ck_assert_ptr_nonnull(strstr(segment + 10, "'<i4'"));
  ck_assert_uint_eq(n, 128 + 40 * 30 * 4);
  free(segment);
}
END_TEST

// A video of half a second has its frames; without ffmpeg the message says what to install.
START_TEST(videos) {
  if (!can_draw()) {
    return;
  }
  output o = run_line("cd /; PATH=/nothing " SN_TEST_BUILD
                      "/sinew render pendulum -q --time 0.1 -o /tmp/none.mp4 2>&1");
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, "ffmpeg"));
  ck_assert_ptr_nonnull(strstr(o.text, "install"));
  done(&o);
  if (have_ffmpeg("videos")) {
    o = call("render pendulum -q --size 64x48 --time 0.5 --fps 20 -o %s 2>&1", in_folder("f.mp4"));
    expect(&o, 0);
    done(&o);
    char line[512];
    snprintf(
        line, sizeof line,
        "ffprobe -v error -count_frames -show_entries stream=nb_read_frames,width -of csv=p=0 %s",
        in_folder("f.mp4"));
    o = run_line(line);
    ck_assert_str_eq(o.text, "64,11\n");   // at 0, 0.05 ... 0.5 s
    done(&o);
  }
}
END_TEST

// Where a video cannot be made the old one stays, and no broken one is left. The ffmpeg of the test
// takes some frames, writes something, and ends.
START_TEST(failing_videos) {
  char path[256], line[1024];
  size_t n;
  snprintf(path, sizeof path, "%s", in_folder("old.mp4"));
  snprintf(
      line, sizeof line,
      "cd %s && printf old > old.mp4 && printf '#!/bin/sh\nfor out; do :; done\n"
      "head -c 9999 > \"${out#file:}\"\nexit %d\n' > ffmpeg && chmod +x ffmpeg && PATH=%s:$PATH " SN_TEST_BUILD
      "/sinew render pendulum --set renderer=svg --size 64x48 --time %s -o %s 2>&1",
      folder, _i, folder, _i ? "0" : "1", path);
  output o = run_line(line);
  expect(&o, 1);
  ck_assert_msg(strstr(o.text, _i ? "could not make" : "ended before the video"), "%s", o.text);
  done(&o);
  char *old = read_file("old.mp4", &n);
  ck_assert_uint_eq(n, 3);
  ck_assert_int_eq(memcmp(old, "old", 3), 0);
  free(old);
  snprintf(line, sizeof line, "ls -A %s", folder);
  o = run_line(line);
  ck_assert_str_eq(o.text, "ffmpeg\nold.mp4\n");
  done(&o);
}
END_TEST

START_TEST(videos_in_no_folder) {
  output o = call("render pendulum --set renderer=svg --time 0.1 -o %s/none/a.mp4 2>&1", folder);
  expect(&o, 1);
  ck_assert_msg(strstr(o.text, "none/a.mp4: the file cannot be written: No such file"), "%s",
                o.text);
  ck_assert_ptr_null(strstr(o.text, "ffmpeg"));
  done(&o);
}
END_TEST

// Draws the stack of boxes with some options into a file of the renderer `svg`, and reads it.
static char *draw_stack(const char *arguments) {
  size_t n;
  output o = call("render stack -q --steps 100 --size 80x60 --set renderer=svg %s -o %s 2>&1",
                  arguments, in_folder("stack.svg"));
  expect(&o, 0);
  done(&o);
  return read_file("stack.svg", &n);
}

// Each switch of what is drawn is an option, which does what --show and --hide do.
START_TEST(switches) {
  const sn_scene_options standard = sn_scene_default_options();
  const char *word = sn_scene_show_word(_i, NULL, NULL);
  char option[64], list[64];
  snprintf(option, sizeof option, "--%s%s%s", standard.show[_i] ? "no-" : "", word,
           _i == SN_SHOW_CAMERA || _i % 2 ? "s" : "");   // with and without the plural
  snprintf(list, sizeof list, "--%s %s", standard.show[_i] ? "hide" : "show", word);
  char *a = draw_stack(option), *b = draw_stack(list);
  ck_assert_str_eq(a, b);
  free(a);
  free(b);
}
END_TEST

START_TEST(switches_on_and_off) {
  char *plain = draw_stack(""), *on = draw_stack("--contacts"), *off = draw_stack("--no-contact");
  char *last = draw_stack("--show contact --no-contacts");
  ck_assert_str_ne(plain, on);
  ck_assert_str_eq(plain, off);
  ck_assert_str_eq(plain, last);
  free(plain);
  free(on);
  free(off);
  free(last);
  output o = call("render stack --contact=1 -o a.png 2>&1");
  expect(&o, 2);
  ck_assert_ptr_nonnull(strstr(o.text, "--contact takes no value"));
  done(&o);
  o = call("run stack --contact 2>&1");
  expect(&o, 2);
  done(&o);
}
END_TEST

static const struct {
  const char *arguments, *word;
} rejected[] = {
  { "pendulum", "nothing to write" },
  { "pendulum --size 10 -o a.png", "WIDTHxHEIGHT" },
  { "pendulum --size 10x0 -o a.png", "WIDTHxHEIGHT" },
  { "pendulum --show contacts -o a.png",
    "--show: there is no 'contacts'; did you mean 'contact'? Choices are convex-hull, " },
  { "pendulum --label bodies -o a.png", "body" },
  { "pendulum --groups geom=7 -o a.png", "KIND=DIGITS" },
  { "pendulum --depth d.npy -o a.mp4", "no --depth" },
  { "pendulum -o a.png --depth a.png", "different files; two are 'a.png'" },
  { "pendulum --depth a.npy --segment a.npy", "different files; two are 'a.npy'" },
  { "pendulum --label", "--label takes a value: --label KIND, name the elements: body" },
  { "pendulum --label -o a.png", "--label takes a value" },
  { "pendulum --label --contacts -o a.png", "--label: there is no '--contacts'; choices are none, "
                                            "body" },
  { "pendulum --time 1 --set renderer=svg --fps 100000 -o a.mp4",
    "has at most 10000 frames a second" },
  { "pendulum --time 1 --set renderer=svg --fps 100 -o a.gif", "has at most 50 frames a second" },
  { "pendulum --time 1 --set renderer=svg --size 1x9 -o a.mp4",
    "at least 2x2 pixels; '1x9' is less" },
};

START_TEST(wrong_options) {
  output o = call("render %s 2>&1", rejected[_i].arguments);
  expect(&o, 2);
  ck_assert_msg(strstr(o.text, rejected[_i].word) != NULL, "no '%s' in: %s", rejected[_i].word,
                o.text);
  done(&o);
}
END_TEST

START_TEST(unknown_formats) {
  if (can_draw()) {
    output o = call("render pendulum -o %s 2>&1", in_folder("a.jpg"));
    expect(&o, 2);
    ck_assert_ptr_nonnull(strstr(o.text, "images cannot be written as '.jpg'; formats: .png"));
    ck_assert_int_ne(access(in_folder("a.jpg"), F_OK), 0);
    done(&o);
    o = call("render pendulum -o %s --set renderer=opengl 2>&1", in_folder("a.svg"));
    expect(&o, 2);
    ck_assert_ptr_nonnull(strstr(o.text, "by the renderer svg: add --set renderer=svg"));
    done(&o);
  }
}
END_TEST

// The case of an ending does not matter.
START_TEST(capital_endings) {
  size_t n;
  output o = call("render pendulum -q --set renderer=svg --size 8x8 -o %s 2>&1",
                  in_folder("a.PNG"));
  expect(&o, 0);
  done(&o);
  char *png = read_file("a.PNG", &n);
  ck_assert_int_eq(memcmp(png, "\x89PNG", 4), 0);
  free(png);
  o = call("render pendulum -q --set renderer=svg --size 8x8 -o %s 2>&1", in_folder("a.SVG"));
  expect(&o, 0);
  done(&o);
  char *svg = read_file("a.SVG", &n);
  ck_assert_int_eq(memcmp(svg, "<svg ", 5), 0);
  free(svg);
}
END_TEST

// Videos of most formats have even sizes: the last column and row are left out, with a warning.
START_TEST(odd_sizes_of_videos) {
  static const struct {
    const char *name, *size, *warning;
  } videos_of[] = {
    { "a.MP4", "32,24\n", "32 x 24 pixels, the last column and row are left out" },
    { "a.gif", "33,25\n", "" },
  };
  const int has_ffmpeg = have_ffmpeg("odd_sizes_of_videos");
  for (size_t i = 0; i < 2 && has_ffmpeg; i++) {
    output o = call("render pendulum --set renderer=svg --time 0.1 --size 33x25 -o %s 2>&1",
                    in_folder(videos_of[i].name));
    expect(&o, 0);
    ck_assert_msg(strstr(o.text, videos_of[i].warning) != NULL, "%s", o.text);
    ck_assert_int_eq(strstr(o.text, "left out") != NULL, i == 0);
    done(&o);
    char line[512];
    snprintf(line, sizeof line, "ffprobe -v error -show_entries stream=width,height -of csv=p=0 %s",
             in_folder(videos_of[i].name));
    o = run_line(line);
    ck_assert_str_eq(o.text, videos_of[i].size);
    done(&o);
  }
}
END_TEST

// The frames of a video: a record and recorded states have as many as the run that they are of.
static void expect_frames(const char *operands, const char *frames) {
  char video[128];
  snprintf(video, sizeof video, "%s", in_folder("r.mp4"));
  output o = call("render %s --size 32x24 --fps 20 -o %s 2>&1", operands, video);
  expect(&o, 0);
  ck_assert_msg(strstr(o.text, frames) != NULL, "no '%s' in: %s", frames, o.text);
  done(&o);
}

START_TEST(videos_of_recorded_runs) {
  if (!have_ffmpeg("videos_of_recorded_runs") || !can_draw()) {
    return;
  }
  char record[128], states[128], both[300];
  snprintf(record, sizeof record, "%s", in_folder("run.json"));
  snprintf(states, sizeof states, "%s", in_folder("states.csv"));
  output o = call("run figure -q --time 0.5 --record %s 2>&1", record);
  expect(&o, 0);
  done(&o);
  o = call("run figure -q --time 0.5 --out %s 2>&1", states);
  expect(&o, 0);
  done(&o);
  expect_frames(record, "11 frames");
  snprintf(both, sizeof both, "figure %s", states);
  expect_frames(both, "11 frames");
  snprintf(both, sizeof both, "%s --time 1", record);   // the record has its own time
  o = call("render %s -o %s 2>&1", both, in_folder("x.mp4"));
  expect(&o, 2);
  done(&o);
  // steps that are longer than frames: each state is shown several times
  o = call("render pendulum -q --time 0.2 --fps 2000 --size 32x24 -o %s 2>&1", in_folder("y.mp4"));
  expect(&o, 0);
  done(&o);
}
END_TEST

static void expect_same_files(const char *a, const char *b) {
  size_t n[2];
  char *x = read_file(a, &n[0]), *y = read_file(b, &n[1]);
  ck_assert_uint_eq(n[0], n[1]);
  ck_assert_msg(memcmp(x, y, n[0]) == 0, "%s is not %s", a, b);
  free(x);
  free(y);
}

// An image of a record or of recorded states is that of the state in which the run ended.
START_TEST(images_of_recorded_runs) {
  if (!can_draw()) {
    return;
  }
  static const char *const commands[] = {
    "run figure -q --time 0.5 --record %s/run.json 2>&1",
    "run figure -q --time 0.5 --out %s/states.csv 2>&1",
    "render figure -q --time 0.5 --size 64x48 -o %s/model.png 2>&1",
    "render figure -q --time 0.4 --size 64x48 -o %s/earlier.png 2>&1",
    "render %s/run.json -q --size 64x48 -o %s/record.png --depth %s/d.npy 2>&1",
    "render figure %s/states.csv -q --size 64x48 -o %s/states.png 2>&1",
  };
  char path[128];
  snprintf(path, sizeof path, "%s", in_folder("."));
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    output o = call(commands[i], path, path, path);
    expect(&o, 0);
    done(&o);
  }
  expect_same_files("record.png", "model.png");
  expect_same_files("states.png", "model.png");
  size_t n[2];
  char *model = read_file("model.png", &n[0]), *earlier = read_file("earlier.png", &n[1]);
  ck_assert(n[0] != n[1] || memcmp(model, earlier, n[0]) != 0);
  free(model);
  free(earlier);
}
END_TEST

// The program of docs/rendering.md.
START_TEST(a_program_that_draws) {
  if (!can_draw()) {
    return;
  }
  size_t n, colors = 0;
  char line[512];
  snprintf(line, sizeof line, "%s/samples/image %s/samples/models/figure.xml %s 2>&1",
           SN_TEST_BUILD, SN_TEST_SOURCE, in_folder("p.ppm"));
  output o = run_line(line);
  expect(&o, 0);
  done(&o);
  char *ppm = read_file("p.ppm", &n);
  ck_assert_int_eq(memcmp(ppm, "P6\n320 240\n255\n", 15), 0);
  ck_assert_uint_eq(n, 15 + 3 * 320 * 240);
  for (size_t i = 18; i + 2 < n; i += 3) {
    colors += memcmp(ppm + i, ppm + i - 3, 3) != 0;
  }
  ck_assert_uint_gt(colors, 500);
  free(ppm);
}
END_TEST

START_TEST(unknown_cameras) {
  if (can_draw()) {
    output o = call("render pendulum --camera front -o %s 2>&1", in_folder("a.png"));
    expect(&o, 1);
    ck_assert_ptr_nonnull(strstr(o.text, "no camera 'front'"));
    done(&o);
  }
}
END_TEST

// The libraries that the command and the core are linked with.
START_TEST(no_graphics_library) {
  output o = run_line("ldd " SN_TEST_BUILD "/sinew " SN_TEST_BUILD "/libsinew.so.1 2>&1");
  ck_assert_ptr_nonnull(strstr(o.text, "libc.so"));
  static const char *const names[] = { "libGL",  "libEGL",  "libepoxy",  "libOpenGL",
                                       "libX11", "libglfw", "libwayland" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    ck_assert_msg(!strstr(o.text, names[i]), "%s is linked", names[i]);
  }
  done(&o);
}
END_TEST

// Without one of its libraries, opengl says what to install. The names of libraries are changed in
// a copy of the plugin.
static const struct {
  const char *library, *changed, *reason;
} needed[] = {
  { "libepoxy", "libepoxX", "install the package with this library" },
  { "libEGL", "libEGX", "are not installed (on Debian libegl1 and libopengl0" },
};

START_TEST(missing_libraries) {
  char line[1024], config[128], image[128];
  snprintf(config, sizeof config, "%s", in_folder("opengl.ini"));
  snprintf(image, sizeof image, "%s", in_folder("p.png"));
  if (access(SN_TEST_BUILD "/plugins/opengl.so", R_OK) != 0) {
    return;   // it was not built
  }
  snprintf(line, sizeof line,
           "cp " SN_TEST_BUILD "/plugins/opengl.so %s/ && mkdir %s/parts && "
           "LC_ALL=C sed 's/%s/%s/g' " SN_TEST_BUILD "/plugins/parts/opengl.so > %s/parts/opengl.so"
           " && printf '[plugins]\nopengl = opengl.so\n' > %s",
           folder, folder, needed[_i].library, needed[_i].changed, folder, config);
  output o = run_line(line);
  expect(&o, 0);
  done(&o);
  o = call("render pendulum -q --size 8x8 --config %s -o %s 2>&1", config, image);
  expect(&o, 1);
  ck_assert_msg(strstr(o.text, needed[_i].reason) != NULL, "%s", o.text);
  done(&o);
  o = call("run pendulum -q --steps 1 --config %s 2>&1", config);
  expect(&o, 0);
  done(&o);
}
END_TEST

TESTS() {
  FIXTURE(open_folder, close_folder);
  TEST(files);
  TEST(videos);
  EACH(failing_videos, 0, 2);
  TEST(videos_in_no_folder);
  EACH(switches, 0, SN_NSHOWS);
  TEST(switches_on_and_off);
  EACH(wrong_options, 0, sizeof rejected / sizeof rejected[0]);
  TEST(unknown_formats);
  TEST(capital_endings);
  TEST(odd_sizes_of_videos);
  TEST(videos_of_recorded_runs);
  TEST(images_of_recorded_runs);
  TEST(a_program_that_draws);
  TEST(unknown_cameras);
  TEST(no_graphics_library);
  EACH(missing_libraries, 0, sizeof needed / sizeof needed[0]);
}
