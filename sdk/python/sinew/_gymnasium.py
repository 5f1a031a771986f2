# SPDX-License-Identifier: Apache-2.0
"""Registers the environments with Gymnasium, which calls this while it is being imported: the
package sinew.envs is imported later, when one of them is made."""

import pathlib


def register() -> None:
    """Registers sinew/CartPole-v0 ...: one for each model in envs."""
    from gymnasium.envs.registration import register, registry
    for model in sorted((pathlib.Path(__file__).parent / "envs").glob("*.xml")):
        name = "".join(word.title() for word in model.stem.split("_"))
        if f"sinew/{name}-v0" not in registry:
            register(id=f"sinew/{name}-v0", entry_point="sinew.envs:make",
                     vector_entry_point="sinew.envs:make_vec", kwargs={"name": name})
