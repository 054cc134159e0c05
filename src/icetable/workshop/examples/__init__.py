"""Workshop games to play, to change, and to learn from."""
