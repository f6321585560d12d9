import { fileURLToPath } from 'node:url';
import { tests } from '../../spa.js';

tests('react', fileURLToPath(new URL('..', import.meta.url)));
