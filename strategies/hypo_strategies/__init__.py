"""Strategies: pure functions from the sources of a Hypo-Workflow project to its compact views."""
