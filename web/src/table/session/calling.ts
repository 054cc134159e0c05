/** Calls players back: by a sound and, if the page is hidden, by a notification. */

import { attention, isHidden } from '../../app/attention.svelte';
import { chatShown } from '../../app/prefs.svelte';
import { play, vibrate } from '../../app/sound.svelte';
import { SUMMONS_SOUNDS, type Summons } from './summons';

const TURN_VIBRATION_MS = [25, 70, 25];

export function call({ what, title }: Summons, table: string): void {
  if (what === 'chat' && !chatShown.value) return;
  const sound = SUMMONS_SOUNDS[what];
  if (isHidden()) {
    play(sound);
    attention.call(title, table);
  } else if (what === 'turn') vibrate(TURN_VIBRATION_MS);
  else if (sound === 'chat') play(sound);
}
