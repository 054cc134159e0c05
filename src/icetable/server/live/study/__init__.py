"""What players learn from games: reviews, analyses, lessons, puzzles and play-tests."""
