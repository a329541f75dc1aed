"""Finds compilers, builds mechanisms, runs them, and turns times into figures."""
