import { mount } from 'svelte';
import '../app.css';
import Report from './Report.svelte';
import Answers from './Answers.svelte';
import './report.css';
import type { Answered, Study } from './study';

const target = document.getElementById('report');
const content = document.getElementById('study')?.textContent;
if (!target || !content) throw new Error('the page has no study');
const found = JSON.parse(content) as Study | Answered;
document.title = `${found.title}: ${'verdicts' in found ? 'answers' : 'a study'}`;
if ('verdicts' in found) mount(Answers, { target, props: { found } });
else mount(Report, { target, props: { study: found } });
