// SPDX-License-Identifier: Apache-2.0
//
// From a file to a trajectory in three lines; any format that a loader is named for in the ini.
// It takes for granted that the file is there and right: hello.c shows how to hear what is wrong.
//
//   cc x_xy.c $(pkg-config --cflags --libs sinew) -o x_xy && ./x_xy inv_pendulum.xml

#include <sinew/sinew.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODEL\n", argv[0]);
    return 2;
  }
  sn_model *model = sn_load(sn_engine_open(NULL, NULL), argv[1], NULL);
  sn_data *data = sn_data_new(model, NULL);
  while (sn_time(data)[0] < 2 && sn_step(model, data) >= 0 && printf("%g\n", sn_qpos(data)[0])) {}
  return 0;
}
