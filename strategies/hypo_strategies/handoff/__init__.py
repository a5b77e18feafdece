"""compact-context: a temporary handoff compacted without changing its meaning, and a loss check; pure.

An item is moved or kept, never paraphrased. What cannot be proved safe stays in its own words.
"""
