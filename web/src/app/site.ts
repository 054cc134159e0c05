/** What the operator of this server says about it, in the head of the page. */

const NOTICES = { imprint: 'Imprint', privacy: 'Privacy' };

/** The operator's notices: their titles and addresses. */
export function notices(): { title: string; address: string }[] {
  return Object.entries(NOTICES).flatMap(([name, title]) => {
    const address = document.querySelector<HTMLMetaElement>(`meta[name="icetable-${name}"]`)?.content;
    return address ? [{ title, address }] : [];
  });
}
