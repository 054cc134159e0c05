"""Tables to play at: rooms, their log, the messages between server and browser, and the server."""
