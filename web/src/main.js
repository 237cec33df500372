// main.js - puts the page into the document.
import 'uplot/dist/uPlot.min.css';
import './page.css';
import { mount } from 'svelte';
import App from './App.svelte';

mount(App, { target: document.getElementById('app') });
