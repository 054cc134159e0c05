/** Where keys go when what had the focus is gone: a button that closes itself would leave them to nobody. */

const BOARD = '.board :is([role="grid"] [tabindex="0"], [role="application"])';

/** Gives the focus to the board, or to the page where there is none, as soon as what had it is taken away. */
export function keepsFocus(page: HTMLElement): () => void {
  let last: EventTarget | null = null;

  function came({ target }: FocusEvent): void {
    last = target;
  }

  /** Some browsers tell of what is taken away as of what the user leaves: what is left is still there afterwards. */
  function went({ target }: FocusEvent): void {
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

  page.addEventListener('focusin', came);
  page.addEventListener('focusout', went);
  observer.observe(page, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    page.removeEventListener('focusin', came);
    page.removeEventListener('focusout', went);
  };
}
