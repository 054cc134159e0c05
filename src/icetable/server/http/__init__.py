"""HTTP and WebSocket: routes, connections, limits, and the front end."""
