/** The parts of games with dice and coins beside the board, or shapes on it. */

export { default as Panel } from './Panel.svelte';
export { default as RollSign } from './RollSign.svelte';
export { default as Shapes } from './Shapes.svelte';
