import { fileURLToPath } from 'node:url';
import { tests } from '../../spa.js';

tests('svelte', fileURLToPath(new URL('..', import.meta.url)));
