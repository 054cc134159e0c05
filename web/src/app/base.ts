/** The address under which all pages lie; it ends in a slash. The server writes it into the page, and paths are relative. */
export const BASE = document.baseURI;
