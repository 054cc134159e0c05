"""Four of the built-in games in readable form, written from the rules to be changed, and small members of theirs."""
