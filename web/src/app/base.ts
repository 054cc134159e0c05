/** The base URL of all pages, with a trailing slash. The server writes it into the page. */
export const BASE = document.baseURI;

/** The WebSocket URL: `http` becomes `ws`, and `https` becomes `wss`. */
export const SOCKET_URL = `${BASE.replace('http', 'ws')}ws`;
