"""Windows of every size, and what is wrong with a page in one of them: nothing may lie outside, beneath or cut."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Error, Page, ViewportSize

SIZES = ((390, 844), (360, 740), (320, 640), (820, 1180), (2560, 1440), (1440, 900), (1280, 720), (844, 390))

HALVES = (SIZES[::2], SIZES[1::2])
QUARTERS = tuple(SIZES[part::4] for part in range(4))
"""Where much is looked at, each part in turn: a narrow and a wide window are in all."""

SETTLING = 3_000
"""How many milliseconds a page may take to fit itself into a new window."""

FLAWS = """
window.flaws = () => {
  const found = [];
  const root = document.documentElement;
  const open = [...document.querySelectorAll('dialog[open], :popover-open')].at(-1);
  const name = (one) => {
    const said = one.getAttribute('aria-label') || one.innerText || one.name || '';
    return `<${one.localName} class="${one.className}"> ${said.trim().replace(/\\s+/g, ' ').slice(0, 40)}`;
  };
  const shows = (one) =>
    one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
    getComputedStyle(one).clipPath === 'none' &&
    !one.closest('[inert], .unseen');
  const scrolls = [...document.querySelectorAll('*')]
    .filter((one) => one.scrollTop || one.scrollLeft)
    .map((one) => [one, one.scrollLeft, one.scrollTop]);

  if (root.scrollWidth > innerWidth) found.push(`The page is ${root.scrollWidth} wide`);

  for (const card of document.querySelectorAll('[aria-label=Result], [role=note].inline')) {
    const over = card.getBoundingClientRect();
    for (const one of document.querySelectorAll('.board, .board section, .moves, main p strong')) {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const beside = right <= over.left + 1 || left >= over.right - 1;
      const apart = beside || top >= over.bottom - 1 || bottom <= over.top + 1;
      if (!apart && !card.contains(one)) found.push(`Beneath ${name(card)}: ${name(one)}`);
    }
  }

  for (const one of (open ?? document.body).querySelectorAll('*')) {
    if (one.scrollWidth <= one.clientWidth + 1 || one.clientWidth === 0 || !shows(one)) continue;
    const style = getComputedStyle(one);
    const cuts = style.overflowX === 'hidden' || style.overflowX === 'clip';
    if (cuts && style.textOverflow !== 'ellipsis' && one.innerText) found.push(`Cut: ${name(one)}`);
  }

  for (const name of document.querySelectorAll('.name.split')) {
    if (!shows(name)) continue;
    const own = name.lastElementChild;
    if (own.scrollWidth > own.clientWidth + 1) found.push(`A name can't be told from another: ${name.title}`);
  }

  for (const picture of document.querySelectorAll('svg[viewBox]')) {
    if (!shows(picture) || getComputedStyle(picture).overflowX === 'visible') continue;
    const { x, y, width, height } = picture.getBBox(), frame = picture.viewBox.baseVal, slack = frame.height / 20;
    const inside = x >= frame.x - slack && x + width <= frame.x + frame.width + slack &&
      y >= frame.y - slack && y + height <= frame.y + frame.height + slack;
    if (!inside) found.push(`Clipped picture in ${name(picture.parentElement)}`);
  }

  const controls = 'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=slider]';
  const boxOf = (one) => one.getClientRects()[0] ?? one.getBoundingClientRect(); // a link's first line
  const hit = (one, box) => {
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const there = document.elementFromPoint(x, y);
    return there !== null && (one.contains(there) || (there.contains(one) && there.localName === 'label'));
  };
  for (const control of (open ?? document.body).querySelectorAll(controls)) {
    if (!shows(control) || control.closest('[role=grid], [role=application]')) continue;
    let box = boxOf(control);
    if (box.width === 0 || box.height === 0) {
      found.push(`Without size: ${name(control)}`);
      continue;
    }
    const inside = box.left >= -1 && box.right <= innerWidth + 1 && box.top >= -1 && box.bottom <= innerHeight + 1;
    if (!inside || !hit(control, box)) {
      control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      box = boxOf(control);
    }
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`Outside: ${name(control)}`);
    else if (!hit(control, box)) {
      const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      found.push(`Covered: ${name(control)} by ${there ? name(there) : 'the edge'}`);
    }
  }
  scrollTo(0, 0);
  for (const [one, left, top] of scrolls) one.scrollTo({ left, top, behavior: 'instant' });
  return found;
};
"""


def flaws(page: Page, state: str, sizes: Sequence[tuple[int, int]] = SIZES) -> list[str]:
    """The flaws of the page in this state, in windows of every size."""
    found: list[str] = []
    page.evaluate(FLAWS)
    for width, height in sizes:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        try:
            page.wait_for_function("() => flaws().length === 0", timeout=SETTLING)
        except Error:  # it does not settle
            found += [f"{state}, {width}x{height}: {flaw}" for flaw in page.evaluate("flaws()")]
    return found
