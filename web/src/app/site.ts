const NOTICES = { imprint: 'Imprint', privacy: 'Privacy' };

/** The notices of the server's operator, which the head of the page names: titles and addresses. */
export function notices(): { title: string; address: string }[] {
  return Object.entries(NOTICES).flatMap(([name, title]) => {
    const address = document.querySelector<HTMLMetaElement>(`meta[name="icetable-${name}"]`)?.content;
    return address ? [{ title, address }] : [];
  });
}
