"""Tables that are open, and how they are opened."""
