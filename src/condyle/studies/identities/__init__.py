"""Identities of Euler parameters as the papers print them, misprints too, evaluated at random motions."""

from condyle.studies.identities.appendix import APPENDIX
from condyle.studies.identities.base import Identity
from condyle.studies.identities.drivers import DRIVERS
from condyle.studies.identities.sample import Sample

IDENTITIES = (*DRIVERS, *APPENDIX)

__all__ = ["APPENDIX", "DRIVERS", "IDENTITIES", "Identity", "Sample"]
