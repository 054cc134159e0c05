/** Shakes a picture after a refusal, unless the user prefers reduced motion. */
export function shake(picture: Element | undefined): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const swing = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  picture?.animate(swing, { duration: 320, easing: 'ease-out' });
}
