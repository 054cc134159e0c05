/** The address under which all pages lie; it ends in a slash. The server writes it into the page, and paths are relative. */
export const BASE = document.baseURI;

/** Where sockets are opened: `http` becomes `ws`, and `https` `wss`. */
export const SOCKET = `${BASE.replace('http', 'ws')}ws`;
