// What every manifest that is published has, and what is missed where it has not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultsOfManifest, withRepository } from '../archive.mjs';
import { packages, root } from '../packages.mjs';

const published = packages().filter(({ manifest }) => !manifest.private).map(({ manifest }) => manifest);

describe.each(published.map((manifest) => [manifest.name, manifest]))('%s', (name, manifest) => {
  test('says what it is, under which licence, from where', () => expect(faultsOfManifest(manifest)).toEqual([]));

  test('is named by the changes', () => {
    const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    expect(changes).toContain(`## ${manifest.version}`);
    expect(changes).toContain(`\`${name}\``);
  });
});

test('all of them have one version', () => expect(new Set(published.map(({ version }) => version)).size).toBe(1));

test.each([
  ['a description', { description: undefined }],
  ['the licence Apache-2.0', { license: 'UNLICENSED' }],
  ['publishConfig.provenance', { publishConfig: { access: 'public' } }],
  ['publishConfig.access "public"', { publishConfig: { provenance: true } }],
  ['dist and CHANGELOG.md in its files', { files: ['dist'] }],
  ['main and types that are those of "exports"', { main: undefined }],
])('a manifest without %s is refused', (need, change) => {
  expect(faultsOfManifest({ ...published[0], ...change })).toEqual([`needs ${need} in package.json`]);
});

test('what is published from a repository names it and its folder there', () => {
  const [{ folder, manifest }] = packages().filter(({ manifest }) => manifest.name === '@svc/client');
  expect(withRepository(manifest, 'https://code.example/svc', folder)).toEqual({
    ...manifest, repository: { type: 'git', url: 'git+https://code.example/svc.git', directory: 'sdks/typescript/packages/client' },
  });
});

test.each(['http://code.example/svc', 'https://name:secret@code.example/svc', 'git@code.example:svc', 'https://code.example/svc?x'])('%s is no repository', (address) => {
  expect(() => withRepository({}, address, root)).toThrow('https address without credentials');
});
