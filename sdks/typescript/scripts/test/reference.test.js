// Every published package has its reference page, as its declarations are; SVC_REWRITE_DOCS=1 writes it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packages, root } from '../packages.mjs';
import { exported, reference } from '../reference.mjs';

const PAGES = join(root, '..', '..', 'docs', 'reference', 'packages');

test.each(packages().filter(({ manifest }) => !manifest.private).map((one) => [one.manifest.name, one]))('the reference of %s', (name, one) => {
  const file = join(PAGES, `${name.replace('@svc/', '')}.md`);
  if (process.env.SVC_REWRITE_DOCS) {
    mkdirSync(PAGES, { recursive: true });
    writeFileSync(file, reference(one));
  }
  expect(readFileSync(file, 'utf8'), 'SVC_REWRITE_DOCS=1 npm test writes it').toBe(reference(one));
});

test('names are found wherever they are declared', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-reference-'));
  const files = {
    'index.d.ts': "/** The package. */\nimport { type Taken } from './other.js';\nexport { type Taken };\nexport * from './all.js';\nexport { default as Button, inner as outer } from './other.js';\nexport type { Far } from 'far';\n",
    'other.d.ts': '/** A button. */\ndeclare const Button: {\n    (): void;\n};\nexport default Button;\nexport interface Taken {\n    /** Inside. */\n    a: string;\n}\nexport declare const inner: 1;\n',
    'more.d.ts': "import { type Size } from './size.js';\nexport { type Taken } from './other.js';\nexport declare function more(size: Size): void;\n",
    'size.d.ts': "export interface Size {\n    unit: Unit;\n}\ntype Unit = 'px';\nexport {};\n",
    'all.d.ts': '/**\n * Adds.\n *\n * Twice.\n */\nexport declare function add(one: number): number;\nexport declare function add({ one, }: {\n    one: string;\n}): string;\n',
  };
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const found = [...exported(join(folder, 'index.d.ts'))].map(([name, { comment, text, isType }]) => [name, { comment, text, isType }]);
    expect(Object.fromEntries(found)).toEqual({
      Taken: { comment: '', text: 'interface Taken {\n    /** Inside. */\n    a: string;\n}', isType: true },
      add: { comment: 'Adds.\n\nTwice.', text: 'function add(one: number): number;\nfunction add({ one, }: {\n    one: string;\n}): string;', isType: false },
      Button: { comment: 'A button.', text: 'const Button: {\n    (): void;\n};', isType: false },
      outer: { comment: '', text: 'const inner: 1;', isType: false },
      Far: { comment: '', text: "export { Far } from 'far';", isType: true },
    });
    const page = reference({ folder, manifest: { name: '@svc/one', description: 'One.', exports: { '.': { types: 'index.d.ts' }, './more': { types: 'more.d.ts' } } } });
    expect(page).toMatch(/^# @svc\/one\n\nOne\.\n\n[^]*## `@svc\/one\/more`\n\nAs above: `Taken`\.\n\n### more\n\n```ts\nfunction more\(size: Size\): void;\n```\n\n## Types that these name\n\n### Size\n\n```ts\ninterface Size \{\n    unit: Unit;\n\}\n```\n\n### Unit\n\n```ts\ntype Unit = 'px';\n```\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
