"""The interface of games, their options and their records."""
