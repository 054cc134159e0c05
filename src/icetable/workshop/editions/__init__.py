"""Four of the built-in games in readable form, to be changed, and small versions of two of them."""
