import { mount } from 'svelte';
import '../app.css';
import Report from './Report.svelte';
import type { Study } from './study';

const target = document.getElementById('report');
const content = document.getElementById('study')?.textContent;
if (!target || !content) throw new Error('the page has no study');
const study = JSON.parse(content) as Study;
document.title = `${study.title}: a study`;
mount(Report, { target, props: { study } });
