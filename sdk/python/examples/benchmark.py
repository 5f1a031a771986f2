# SPDX-License-Identifier: Apache-2.0
"""What Python adds to a step: d.step() compared with a loop of sn_step in C, in CPU time."""

import time
import timeit

import sinew

m = sinew.loads("""<mujoco><worldbody><body><joint axis="0 1 0"/>
  <geom size="0.1" pos="0 0 -1"/></body></worldbody></mujoco>""")
d = m.data()


def nanoseconds(statement, number, calls=1):
    """The shortest of many runs, ns for each call."""
    times = timeit.repeat(statement, number=number, repeat=25, timer=time.process_time,
                          globals=globals())
    return min(times) / number / calls * 1e9


single = nanoseconds("d.step()", 20000)
loop = nanoseconds("d.step(1000)", 20, 1000)   # reads the clock in each step, some 25 ns
print(f"d.step()             {single:6.0f} ns")
print(f"d.step(1000) / 1000  {loop:6.0f} ns")
print(f"difference           {single - loop:6.0f} ns")
print(f"d.qpos               {nanoseconds('d.qpos', 100000):6.0f} ns")
print(f"d.time               {nanoseconds('d.time', 100000):6.0f} ns")
print(f"d.body(1).xpos       {nanoseconds('d.body(1).xpos', 10000):6.0f} ns")
print(f"d.contacts           {nanoseconds('d.contacts', 1000):6.0f} ns")
