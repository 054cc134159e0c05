/** The parts of games that count what spaces are worth, or whose seats have several colours. */

export { default as Account } from './Account.svelte';
export { default as Opening } from './Opening.svelte';
export { default as Overview } from './Overview.svelte';
export { default as Palette } from './Palette.svelte';
