/**
 * Keeps texts up to date on a page that the browser translates.
 *
 * A translator replaces each text node by a <font> element. Updates would then change a node that is no longer on the
 * page, and removals would leave the element behind. So the text node is emptied and put back before its element: when
 * the node changes or is removed, the element is removed as well, and the translator translates the new text.
 */
export function followTranslator(root: Node): void {
  new MutationObserver((records) => records.forEach(pairTexts)).observe(root, { childList: true, subtree: true });
}

interface Translation {
  element: Element;
  observer: MutationObserver;
}

const translations = new WeakMap<Text, Translation>();
const paired = new WeakSet<Element>();

function pairTexts({ removedNodes, addedNodes, previousSibling, nextSibling }: MutationRecord): void {
  for (const text of removedNodes) {
    if (!(text instanceof Text)) continue;
    const element = [...addedNodes, previousSibling, nextSibling].find(isFree);
    if (translations.has(text)) follow(text);
    else if (element?.isConnected && !text.isConnected && text.data !== '') pair(text, element);
  }
}

/** Whether this is a translator's element without a text node. */
function isFree(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font' && !paired.has(node);
}

function pair(text: Text, element: Element): void {
  element.before(text);
  text.data = '';
  const observer = new MutationObserver(() => part(text));
  observer.observe(text, { characterData: true });
  translations.set(text, { element, observer });
  paired.add(element);
}

/** A text node was moved or removed. */
function follow(text: Text): void {
  if (text.isConnected) text.after(translations.get(text)!.element);
  else part(text);
}

function part(text: Text): void {
  const { element, observer } = translations.get(text)!;
  observer.disconnect();
  element.remove();
  translations.delete(text);
}
