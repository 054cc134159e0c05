const BOARD = '.board :is([role="grid"] [tabindex="0"], [role="application"])';

/** Focuses the board, or else the page, when the focused element is removed, such as a button that closes itself. */
export function restoreFocus(page: HTMLElement): () => void {
  let last: EventTarget | null = null;

  function onFocusIn({ target }: FocusEvent): void {
    last = target;
  }

  /** Some browsers also fire `focusout` for removed elements; those that the user leaves are still connected later. */
  function onFocusOut({ target }: FocusEvent): void {
    queueMicrotask(() => {
      if (last === target && target instanceof Node && target.isConnected) last = null;
    });
  }

  const observer = new MutationObserver(() => {
    if (!(last instanceof Node) || last.isConnected) return;
    last = null;
    if (document.activeElement !== document.body) return;
    (page.querySelector<HTMLElement>(BOARD) ?? page.querySelector('main'))?.focus({ preventScroll: true });
  });

  page.addEventListener('focusin', onFocusIn);
  page.addEventListener('focusout', onFocusOut);
  observer.observe(page, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    page.removeEventListener('focusin', onFocusIn);
    page.removeEventListener('focusout', onFocusOut);
  };
}
