"""The command line: the only room that prints, writes files or sets an exit status.

Everything heavy is imported where it is used, so that ``audit --help`` answers at once.
"""

from auditor.cli.commands import main

__all__ = ["main"]
