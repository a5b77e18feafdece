"""One module a command: `add` adds it to the parser, and what it needs is imported when it runs."""
