import { fileURLToPath } from 'node:url';
import { program } from '../../running.js';
import { tests } from '../../server.js';

const VITE = program(import.meta.url, 'vite/bin/vite.js');
tests('SvelteKit', fileURLToPath(new URL('..', import.meta.url)), [VITE, 'build'], () => ['build/index.js']);
