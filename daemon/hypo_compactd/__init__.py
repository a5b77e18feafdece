"""hypo-compactd keeps the compact views of a Hypo-Workflow project current."""

__version__ = "0.1.0"
