# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Compare solvers
# One contact problem, solved by every solver.

# %%
import sinew

m = sinew.loads("""<mujoco><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  <body pos="0.02 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  <body pos="0 0.02 0.5"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody></mujoco>""")
d = m.data()
d.step(100)
d.forward()
# %% [markdown]
# The problem of the last step, without its model.

# %%
problems = sinew.Problems()
problems.add(d)
print(problems[0])
best = problems[0].solve("newton")["cost"]
for name in ("newton", "cg", "pgs"):
    found = problems[0].solve(name)
    print(f"{name:8} {found['iterations']:4} iterations, cost above the best "
          f"{found['cost'] - best:.2g}, residual {max(found['residual']):.2g}")
assert abs(problems[0].solve("cg")["cost"] - best) < 1e-3 * abs(best) + 1e-6
