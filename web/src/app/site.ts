const NOTICES = { imprint: 'Imprint', privacy: 'Privacy' };

/** The version that the server runs; empty in a page that no server has sent. */
export function version(): string {
  return meta('version');
}

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="icetable-${name}"]`)?.content ?? '';
}

/** The notices of the server's operator, which the head of the page names: titles and addresses. */
export function notices(): { title: string; address: string }[] {
  return Object.entries(NOTICES).flatMap(([name, title]) => {
    const address = meta(name);
    return address ? [{ title, address }] : [];
  });
}
