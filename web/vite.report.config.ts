/** The report of the lab: one file that needs no network. The lab puts what it found in the place of `{}`. */

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { oneFile } from './plugins.ts';

export default defineConfig({
  plugins: [svelte(), oneFile('report.html')],
  publicDir: false,
  build: {
    outDir: '../src/icetable/lab/page',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: 'report.html' },
  },
});
