import { fileURLToPath } from 'node:url';
import { program } from '../../running.js';
import { tests } from '../../server.js';

const VINXI = program(import.meta.url, 'vinxi/bin/cli.mjs');
tests('SolidStart', fileURLToPath(new URL('..', import.meta.url)), [VINXI, 'build'], () => ['.output/server/index.mjs']);
