// Declarations for CommonJS name files of CommonJS, and take the types of ESM packages as such.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeForCommonJs } from '../declarations.mjs';

test('imports are written for CommonJS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-declarations-'));
  try {
    writeFileSync(join(folder, 'index.d.ts'), "import { type Client } from '@svc/client';\nimport { type Kept } from './storage.js';\nexport type { Kept } from './storage.js';\nimport 'other';\n");
    writeForCommonJs(folder, ['@svc/client']);
    expect(readFileSync(join(folder, 'index.d.cts'), 'utf8')).toBe(
      "import type { Client } from '@svc/client' with { 'resolution-mode': 'import' };\nimport { type Kept } from './storage.cjs';\nexport type { Kept } from './storage.cjs';\nimport 'other';\n",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
