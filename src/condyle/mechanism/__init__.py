"""The compiled view of a model: topology, coordinate roles, index maps. No equations."""

from condyle.mechanism.joint_constraint import JointConstraint
from condyle.mechanism.tree import Link, Tree

__all__ = ["JointConstraint", "Link", "Tree"]
