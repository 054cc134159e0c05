"""The error of a command that this machine does not allow."""


class Failure(Exception):
    """The command can't be done on this machine. The message says why in one sentence."""
