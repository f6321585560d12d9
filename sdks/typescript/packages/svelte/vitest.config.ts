import { svelte } from '@sveltejs/vite-plugin-svelte';
import { withPage } from '../../vitest.dom.js';

export default withPage('svelte', [svelte()]);
