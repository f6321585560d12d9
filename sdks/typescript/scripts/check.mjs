// Packs every package that is published and looks at the archives: publint, the types as every kind of resolution finds them, and what
// must not be in them.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packages, root } from './packages.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const folder = mkdtempSync(join(tmpdir(), 'svc-pack-'));
const faults = [];
try {
  for (const { folder: source, manifest } of packages()) {
    if (manifest.private) continue;
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
    const archive = join(folder, `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`);
    const files = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).split('\n');
    for (const needed of ['package/LICENSE', 'package/README.md', 'package/package.json']) {
      if (!files.includes(needed)) faults.push(`${manifest.name} has no ${needed}`);
    }
    for (const file of files) if (/\.env|\/test\/|node_modules|\.tgz$/.test(file)) faults.push(`${manifest.name} ships ${file}`);
    const text = execFileSync('tar', ['-xzOf', archive], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (/['"]@svc\/frontend-/.test(text.replace(/"devDependencies": \{[^}]*\}/g, ''))) faults.push(`${manifest.name} names an internal package`);
    run(manifest, 'publint', ['--strict', archive]);
    // `svc.types` names what a package does not offer: resolution by CommonJS, or of the time before "exports", or `.svelte` files
    // without a bundler.
    const { ignore = ['cjs-resolves-to-esm', 'no-resolution'], profile = 'node16' } = manifest.svc.types ?? {};
    run(manifest, 'attw', [archive, '--profile', profile, '--format', 'ascii', '--ignore-rules', ...ignore]);
  }
  console.log(`packed ${readdirSync(folder).length} archives`);
} finally {
  rmSync(folder, { recursive: true });
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

function run({ name }, tool, values) {
  const { status, stdout, stderr } = spawnSync(bin(tool), values, { encoding: 'utf8', cwd: root });
  if (status === 0) return console.log(`${tool} ${name}`);
  faults.push(`${tool} refuses ${name}\n${stdout}${stderr}`);
  return undefined;
}
