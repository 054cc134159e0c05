"""The error of a command that fails for reasons of the machine."""


class Failure(Exception):
    """The command can't run on this machine. The message says why in one sentence."""
