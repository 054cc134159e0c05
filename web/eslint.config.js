import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import config from './svelte.config.js';

/** Under a prefix (`serve --prefix`) such a path leads out of the app. */
function absolute(selector) {
  return {
    selector,
    message: 'Paths are relative to the base of the page (app/base.ts), without a slash before them.',
  };
}

const SVELTE = ['**/*.svelte', '**/*.svelte.ts'];

export default ts.config(
  { ignores: ['node_modules', 'src/wire.ts', 'src/games/*/wire.ts'] },
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
    rules: {
      eqeqeq: 'error',
      'no-undef': 'off', // TypeScript knows
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'svelte/no-unused-svelte-ignore': 'off', // it can't tell them: svelte-check does
      'svelte/no-useless-mustaches': ['error', { ignoreStringEscape: true }],
      'svelte/prefer-svelte-reactivity': 'off', // maps that nothing on the page depends on
    },
  },
  {
    files: ['src/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['Literal[value=/^\\x2F\\w/]', 'TemplateElement:first-child[value.raw=/^\\x2F\\w/]'].map(absolute),
        ...['href', 'src', 'action'].map((name) =>
          absolute(`SvelteAttribute[key.name=${name}] > SvelteLiteral:first-child[value=/^\\x2F/]`),
        ),
      ],
    },
  },
  {
    files: SVELTE,
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig: config } },
  },
  {
    files: ['**/*.svelte'],
    extends: [ts.configs.disableTypeChecked], // svelte-check sees the types of templates, this parser does not
  },
  { files: ['*.js'], extends: [ts.configs.disableTypeChecked] },
);
