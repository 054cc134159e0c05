/**
 * Texts stay true on a page that the browser translates.
 *
 * A translator puts an element, <font>, in the place of each text. What is drawn later would go into the text that is no
 * longer on the page, and what is taken away would leave the element behind. So an emptied text is put back before
 * the element that stands for it: as soon as it changes or goes, the element goes as well, and the translator, which
 * waits for new texts, sees the new one.
 */
export function keepTranslated(root: Node): void {
  new MutationObserver((records) => records.forEach(look)).observe(root, { childList: true, subtree: true });
}

interface StandIn {
  element: Element;
  /** Of changes of the text. */
  observer: MutationObserver;
}

const standIns = new WeakMap<Text, StandIn>();
const paired = new WeakSet<Element>();

function look({ removedNodes, addedNodes, previousSibling, nextSibling }: MutationRecord): void {
  for (const text of removedNodes) {
    if (!(text instanceof Text)) continue;
    const element = [...addedNodes, previousSibling, nextSibling].find(isFree);
    if (standIns.has(text)) follow(text);
    else if (element?.isConnected && !text.isConnected && text.data !== '') pair(text, element);
  }
}

/** An element of the translator that stands for no other text. */
function isFree(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font' && !paired.has(node);
}

function pair(text: Text, element: Element): void {
  element.before(text);
  text.data = '';
  const observer = new MutationObserver(() => part(text));
  observer.observe(text, { characterData: true });
  standIns.set(text, { element, observer });
  paired.add(element);
}

/** A text was taken away, or to another place. */
function follow(text: Text): void {
  if (text.isConnected) text.after(standIns.get(text)!.element);
  else part(text);
}

function part(text: Text): void {
  const { element, observer } = standIns.get(text)!;
  observer.disconnect();
  element.remove();
  standIns.delete(text);
}
