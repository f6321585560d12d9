import { fileURLToPath } from 'node:url';
import { tests } from '../../spa.js';

tests('solid', fileURLToPath(new URL('..', import.meta.url)));
