"""The algorithms, as CasADi expressions. None of them names a joint."""
