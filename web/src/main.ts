import '@fontsource-variable/figtree';
import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { syncAppearance } from './app/appearance.svelte';
import { awaitGesture } from './app/sound.svelte';
import { followTranslator } from './app/translated';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no #app element');
syncAppearance();
awaitGesture();
followTranslator(target);
mount(App, { target });
