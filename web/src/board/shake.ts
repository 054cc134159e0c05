import { isStill } from '../app/motion.svelte';

/** Shakes a picture after a refusal, unless nothing is to move. */
export function shake(picture: Element | undefined): void {
  if (isStill()) return;
  const swing = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  picture?.animate(swing, { duration: 320, easing: 'ease-out' });
}
