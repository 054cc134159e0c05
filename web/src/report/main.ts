import { mount } from 'svelte';
import '../app.css';
import Report from './Report.svelte';
import Answers from './Answers.svelte';
import './report.css';
import type { Answered, Study } from './study';

const target = document.getElementById('report');
const content = document.getElementById('study')?.textContent;
if (!target || !content) throw new Error('the page has no study');
const data = JSON.parse(content) as Study | Answered;
document.title = `${data.title}: ${'verdicts' in data ? 'answers' : 'a study'}`;
if ('verdicts' in data) mount(Answers, { target, props: { answered: data } });
else mount(Report, { target, props: { study: data } });
