# SPDX-License-Identifier: Apache-2.0
"""Which arrays an element has: those with a row for each element of its kind, under their full
name and without the prefix of the kind. It follows from the tables of fields, as the stubs do."""

from . import _tables

# kind: number of elements, prefixes that may be left out, first one wins
KINDS = {
    "body": ("nbody", ("body_",)), "joint": ("njnt", ("jnt_",)), "geom": ("ngeom", ("geom_",)),
    "site": ("nsite", ("site_",)), "camera": ("ncam", ("cam_",)), "light": ("nlight", ("light_",)),
    "mesh": ("nmesh", ("mesh_",)), "hfield": ("nhfield", ("hfield_",)),
    "texture": ("ntex", ("tex_",)), "material": ("nmat", ("mat_",)), "skin": ("nskin", ("skin_",)),
    "pair": ("npair", ("pair_",)), "exclude": ("nexclude", ("exclude_",)),
    "equality": ("neq", ("eq_",)), "tendon": ("ntendon", ("tendon_", "ten_")),
    "actuator": ("nu", ("actuator_",)), "sensor": ("nsensor", ("sensor_",)),
    "force": ("nforce", ("force_",)), "numeric": ("nnumeric", ("numeric_",)),
    "text": ("ntext", ("text_",)), "tuple": ("ntuple", ("tuple_",)), "key": ("nkey", ("key_",)),
}
# kind: { rows of other arrays: the fields that say which of them belong to an element }
RANGES = {
    "joint": {"nq": ("jnt_qposadr", None), "nv": ("jnt_dofadr", None)},
    "body": {"nv": ("body_dofadr", "body_dofnum"), "nmocap": ("body_mocapid", 1)},
    "actuator": {"na": ("actuator_actadr", "actuator_actnum")},
    "sensor": {"nsensordata": ("sensor_adr", "sensor_dim")},
    "numeric": {"nnumericdata": ("numeric_adr", "numeric_size")},
    "mesh": {"nmeshvert": ("mesh_vertadr", "mesh_vertnum"),
             "nmeshface": ("mesh_faceadr", "mesh_facenum")},
}
JOINT_SIZES = {"nq": {0: 7, 1: 4}, "nv": {0: 6, 1: 3}}   # free, ball; others have one
SHORT = {"nv": ("dof_",)}                                # prefixes of ranges
ALSO = {"sensor": {"data": "sensordata"}, "mesh": {}, "equality": {"enabled": "eq_enabled"}}


def attributes(tables):
    """{ kind: { attribute: (field, rows) } } for the tables of one object."""
    found = {}
    for kind, (count, prefixes) in KINDS.items():
        names = found.setdefault(kind, {})
        for field, row in tables.items():
            if row[1] == count or row[1] in RANGES.get(kind, {}):
                names[field] = (field, row[1])
        for prefix in prefixes + tuple(p for rows in RANGES.get(kind, {}) for p in
                                       SHORT.get(rows, ())):
            for field, row in list(names.items()):
                short = field[len(prefix):]
                if field.startswith(prefix) and short.isidentifier():
                    names.setdefault(short, row)
        for name, field in ALSO.get(kind, {}).items():
            if field in names:
                names[name] = names[field]
    return found


MODEL_NAMES = attributes(_tables.MODEL)
DATA_NAMES = attributes(_tables.DATA)
