import { isStill } from '../app/motion.svelte';

/** Shakes a picture after a refusal, unless motion is turned off. */
export function shake(picture: Element | undefined): void {
  if (isStill()) return;
  const swing = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  picture?.animate(swing, { duration: 320, easing: 'ease-out' });
}
