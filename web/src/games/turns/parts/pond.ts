/** The parts of boards with pads all around, or with lilies. */

export { default as Around } from './Around.svelte';
export { default as Lilies } from './Lilies.svelte';
