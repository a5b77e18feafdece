"""Readers and writers of text that several strategies share."""
