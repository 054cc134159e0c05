"""Four of the built-in games in readable form: games of the workshop, written from the rule text to be changed."""
