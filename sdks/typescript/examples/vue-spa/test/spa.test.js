import { fileURLToPath } from 'node:url';
import { tests } from '../../spa.js';

tests('vue', fileURLToPath(new URL('..', import.meta.url)));
