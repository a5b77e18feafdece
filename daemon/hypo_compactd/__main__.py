"""`python -m hypo_compactd`."""

import sys

from hypo_compactd.cli import main

if __name__ == "__main__":
    sys.exit(main())
