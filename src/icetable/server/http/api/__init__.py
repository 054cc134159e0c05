"""The HTTP interface: its endpoints and routes, and the messages of a WebSocket."""
