"""A model whose Euler parameters have their own rates as speeds, for Kane's equations (002, appendix B)."""

from __future__ import annotations

from condyle.errors import InputError
from condyle.mechanism.tree import Tree
from condyle.model.model import Model


def kane_tree(model: Model) -> Tree:
    """The model's own tree, u = qdot in joints with Euler parameters; normality is embedded joint by joint.

    Constraints, couplings and closed loops are refused: the recursion is one of trees.
    """
    kinds = {"constraint": model.constraints, "coupling": model.couplings, "loop": model.loops}
    found = [f"{kind} {item.name!r}" for kind, items in kinds.items() for item in items]
    if found:
        raise InputError(
            f"formulation='kane' is for trees: model {model.name!r} has {', '.join(found)}; "
            "allowed with these: formulation='minimal' or 'absolute'"
        )
    return Tree(model, rates=True)
