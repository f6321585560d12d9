// Looks at one archive that `npm pack` made: what its manifest says, what is in it, how it is imported, how much it weighs.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './packages.mjs';

/** In bytes: the most that an archive may weigh; the largest has 40 KB. */
const BOUND = 64 * 1024;
const FILES = ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json'];
/** What is for people who work on the packages. */
const UNWANTED = /\.env|\/test(-server)?\/|\/src\/|node_modules|\.tgz$|\.map$/;

/** Packs a package into a folder; gives the archive. Its manifest names `repository`, which a registry holds its provenance against. */
export function pack({ folder, manifest }, into, repository) {
  const file = join(folder, 'package.json');
  const written = readFileSync(file, 'utf8');
  try {
    if (repository) writeFileSync(file, JSON.stringify(withRepository(manifest, repository, folder), null, 2));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', into], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    writeFileSync(file, written);
  }
  return join(into, `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`);
}

/** A manifest that says where its source is. */
export function withRepository(manifest, repository, folder) {
  if (!/^https:\/\/[^\s@?#]+$/.test(repository)) throw new Error('SVC_REPOSITORY must be an https address without credentials');
  const url = `git+${repository.replace(/\.git$/, '')}.git`;
  return { ...manifest, repository: { type: 'git', url, directory: relative(join(root, '..', '..'), folder) } };
}

/** What is wrong with an archive. */
export function faultsOf(archive, manifest) {
  const { size } = statSync(archive);
  const faults = [...faultsOfManifest(manifest), ...faultsOfFiles(archive)];
  if (size > BOUND) faults.push(`weighs ${size} bytes, and ${BOUND} is the bound`);
  const { ignore = ['cjs-resolves-to-esm', 'no-resolution'], profile = 'node16' } = manifest.svc.types ?? {};
  // `svc.types` names what a package does not offer: resolution by CommonJS, or of the time before "exports", or `.svelte` files
  // without a bundler.
  faults.push(...refusals('publint', ['--strict', archive]));
  faults.push(...refusals('attw', [archive, '--profile', profile, '--format', 'ascii', '--ignore-rules', ...ignore]));
  return faults.map((fault) => `${manifest.name} ${fault}`);
}

/** What is wrong with a manifest that is published. */
export function faultsOfManifest({ description, license, version, type, publishConfig, files = [], engines, main, types, exports }) {
  const { require, ...esm } = exports['.'];
  const entry = require ?? esm;
  const needs = {
    'a description': description?.endsWith('.'),
    'the licence Apache-2.0': license === 'Apache-2.0',
    'a version of three numbers': /^\d+\.\d+\.\d+$/.test(version ?? ''),
    'the type "module"': type === 'module',
    'publishConfig.provenance': publishConfig?.provenance === true,
    'publishConfig.access "public"': publishConfig?.access === 'public',
    'engines.node': engines?.node,
    // Metro before React Native 0.79, Jest before 28 and TypeScript's "node10" know no "exports".
    'main and types that are those of "exports"': main === entry.default && types === entry.types,
    'dist and CHANGELOG.md in its files': ['dist', 'CHANGELOG.md'].every((name) => files.includes(name)),
  };
  return Object.entries(needs).filter(([, met]) => !met).map(([need]) => `needs ${need} in package.json`);
}

function faultsOfFiles(archive) {
  const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n').map((name) => name.replace(/^package\//, ''));
  const missing = FILES.filter((name) => !names.includes(name)).map((name) => `has no ${name}`);
  const unwanted = names.filter((name) => UNWANTED.test(`/${name}`)).map((name) => `ships ${name}`);
  const text = execFileSync('tar', ['-xzOf', archive], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const isInternal = /['"]@svc\/frontend-/.test(text.replace(/"devDependencies": \{[^}]*\}/g, ''));
  return [...missing, ...unwanted, ...(isInternal ? ['names an internal package'] : [])];
}

function refusals(tool, values) {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules', '.bin', tool), values, { encoding: 'utf8', cwd: root });
  return status === 0 ? [] : [`is refused by ${tool}\n${stdout}${stderr}`];
}
