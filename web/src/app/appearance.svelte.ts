/** Settings that the style sheets read, as attributes of the root element. */

import { MediaQuery } from 'svelte/reactivity';
import { motionNow } from './motion.svelte';
import { contrast, theme, type Theme } from './prefs.svelte';

const systemContrast = new MediaQuery('(prefers-contrast: more)');

/** Updates the attributes whenever a setting changes. */
export function syncAppearance(): void {
  const { dataset } = document.documentElement;
  $effect.root(() => {
    $effect.pre(() => {
      dataset['theme'] = theme.value;
      colourFrame(theme.value);
      dataset['motion'] = motionNow();
      dataset['contrast'] = contrastNow();
    });
  });
}

function contrastNow(): 'standard' | 'high' {
  if (contrast.value !== 'system') return contrast.value;
  return systemContrast.current ? 'high' : 'standard';
}

/** The page names two colours for the frame that phones and installed apps draw around it. */
function colourFrame(chosen: Theme): void {
  for (const frame of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const scheme = frame.dataset['scheme'];
    frame.media = chosen === 'system' ? `(prefers-color-scheme: ${scheme})` : chosen === scheme ? 'all' : 'not all';
  }
}
