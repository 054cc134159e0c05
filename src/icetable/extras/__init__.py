"""Optional parts of a game: lessons, puzzles, a solver, an encoding for learners, levels, a picture."""
