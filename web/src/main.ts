import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { showTheme } from './app/theme.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no #app element');
showTheme();
mount(App, { target });
