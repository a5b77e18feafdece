"""hypo-compactd keeps the compact views of a Hypo-Workflow project current."""

__version__ = "0.1.0"

PROGRAM = "hypo-compactd"
"""What its users type."""
