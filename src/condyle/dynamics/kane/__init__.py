"""Kane's equations with Euler parameters as coordinates and their rates as speeds (paper 002, appendix B)."""
