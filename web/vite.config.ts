import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { compressBundles, listBundles } from './plugins.ts';

const WORKER = 'service-worker';

/** What all pages share from the first paint on: not what only parts of them need that are loaded later. */
const SHARED = new RegExp(
  String.raw`/web/src/(main|App|lobby/Row|settings/(SettingsButton|Check)|pieces/(?!Coin|Die|FourSided|SixSided)|` +
    String.raw`app/(?!share|push|network|reaching|tried|tournaments|learned|joining|levels))`,
);

export default defineConfig({
  base: './', // all addresses are relative to the <base> of the page, which the server writes
  plugins: [svelte(), listBundles(`${WORKER}.js`), compressBundles()],
  build: {
    outDir: '../src/icetable/server/http/static',
    emptyOutDir: true,
    target: 'es2022',
    // The page is served under a Content-Security-Policy of 'self': nothing may be inlined.
    assetsInlineLimit: 0,
    license: { fileName: 'licences.md' },
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', `src/${WORKER}.ts`],
      output: {
        // The worker's address stays, since browsers look there for a newer one.
        entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          // What several pages share comes in two files, not in one for each set of pages: what all share, and boards.
          groups: [
            {
              name: 'board',
              test: /\/web\/src\/(board\/(?!Arrows)|table\/(session|status\/Note|BoardHost|shortcuts))/,
              priority: 0,
            },
            { name: 'app', test: SHARED, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/app/fake-page.ts'],
    isolate: false, // fake-page.ts gives each file modules and globals of its own, in a third of the time
    testTimeout: 60_000, // for a machine that hangs, not for one that is busy
  },
});
