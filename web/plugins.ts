/** What the build does beyond bundling. */

import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** The name in the service worker that the build replaces by the list of what the worker caches. */
const PLACE = '__MANIFEST__';

/** Tells the service worker the names of all bundles, and a version that changes with them and with the page. */
export function listBundles(worker: string): Plugin {
  return {
    name: 'list-bundles',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const file = bundle[worker];
      const page = bundle['index.html'];
      if (file?.type !== 'chunk' || page?.type !== 'asset') return this.error('the worker or the page is missing');
      const bundles = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .sort();
      const version = createHash('sha256').update(page.source).update(bundles.join()).digest('hex').slice(0, 12);
      if (!file.code.includes(PLACE)) return this.error(`the worker has no ${PLACE}`);
      file.code = file.code.replace(PLACE, () => JSON.stringify({ version, bundles }));
    },
  };
}

/** Lays compressed copies beside all bundles that get shorter, for servers to send. */
export function compressBundles(): Plugin {
  return {
    name: 'compress-bundles',
    async writeBundle({ dir }) {
      const folder = join(dir ?? '', 'assets');
      await Promise.all((await readdir(folder)).map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const copies = {
    '.br': await promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    '.gz': await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  };
  for (const [ending, copy] of Object.entries(copies)) {
    if (copy.length < content.length) await writeFile(path + ending, copy);
  }
}

/** Moves the scripts and the style sheets of a page into it. */
export function oneFile(name: string): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle[name];
      if (page?.type !== 'asset') return this.error(`${name} is missing`);
      let html = String(page.source).replace(
        /<(?:script|link)\b[^>]*\b(?:src|href)="\/assets\/[^>]*>(?:<\/script>)?/g,
        '',
      );
      for (const [path, file] of Object.entries(bundle)) {
        if (file === page) continue;
        const content = file.type === 'chunk' ? file.code : String(file.source);
        const tag = file.type === 'chunk' ? 'script' : 'style';
        const open = tag === 'script' ? '<script type="module">' : '<style>';
        html = html.replace(
          '</head>',
          () => `${open}${content.replaceAll(`</${tag}`, `<\\/${tag}`)}</${tag}>\n</head>`,
        );
        delete bundle[path];
      }
      page.source = html;
    },
  };
}
