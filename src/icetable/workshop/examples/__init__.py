"""Games of the workshop to play, to change, and to learn from."""
