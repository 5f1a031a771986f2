# SPDX-License-Identifier: Apache-2.0
#
# Rollouts in a Python program of several processes that uses MPI itself, through mpi4py: rank 0
# hands out the rollouts and has the results, the others work for it. Then all ranks get the mean
# height that rank 0 has computed.
#
#   mpirun -n 4 python3 rollouts_mpi.py     in a folder with figure.xml, of samples/models

import numpy as np
from mpi4py import MPI   # initializes MPI, which Sinew then uses as it is

import sinew


def study():
    """The mean height of the trunk in each sample, in rank 0; None in the others."""
    with sinew.configure(executor="mpi") as engine:
        if engine.serve():
            return None   # rank 0 has freed its engine: nothing more to do
        m = sinew.load("figure.xml")
        masses = np.linspace(8, 12, 64)
        r = sinew.rollout(m, nsteps=200, every=50, vary={"body_mass:trunk": masses},
                          record="xpos:trunk:2")
        return r["xpos:trunk:2"].mean(axis=0).ravel()


world = MPI.COMM_WORLD
heights = world.bcast(study())
print(f"rank {world.rank} of {world.size}: {heights.tolist()}", flush=True)
