// Builds every package, or those whose folders are named: scripts by esbuild, declarations by tsc.
//
// A manifest says what is built: `svc.entries` (sources), `svc.formats` ("esm", "cjs"; "esm" alone where it is silent) and
// `svc.asIs` (endings of sources that are shipped as they are). What is internal (`@svc/frontend-*`) is put into the package that uses it, its
// declarations too; everything else that a manifest depends on stays outside.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { takeIn, writeForCommonJs } from './declarations.mjs';
import { packages, root } from './packages.mjs';

const wanted = process.argv.slice(2);
const all = packages();
for (const one of all) {
  if (!one.manifest.svc || (wanted.length > 0 && !wanted.includes(basename(one.folder)))) continue;
  await make(one);
}

async function make({ folder, manifest }) {
  const { entries, formats = ['esm'], asIs = [], platform = 'neutral', banner } = manifest.svc;
  const out = join(folder, 'dist');
  rmSync(out, { recursive: true, force: true });
  const peers = Object.keys({ ...manifest.peerDependencies, ...manifest.optionalDependencies });
  if (!manifest.private) {
    copyFileSync(join(root, '..', '..', 'LICENSE'), join(folder, 'LICENSE'));
    copyFileSync(join(root, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
  }
  for (const format of formats) {
    // What we depend on is ESM alone, so that CommonJS takes it in.
    const outside = format === 'cjs' ? peers : [...Object.keys(manifest.dependencies ?? {}), ...peers];
    await build({
      entryPoints: entries.map((entry) => join(folder, entry)),
      outdir: out,
      outbase: join(folder, 'src'),
      outExtension: { '.js': format === 'cjs' ? '.cjs' : '.js' },
      bundle: true,
      splitting: format === 'esm',
      format,
      platform,
      chunkNames: 'chunks/[name]-[hash]',
      conditions: ['import', 'module'],
      mainFields: ['module', 'main'],
      target: 'es2022',
      jsx: 'automatic',
      external: [...outside.flatMap((name) => [name, `${name}/*`]), ...asIs.map((ending) => `*${ending}`), 'node:*'],
      ...(banner ? { banner: { js: banner } } : {}),
      logLevel: 'warning',
    });
  }
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const config = ['tsconfig.build.json', 'tsconfig.json'].find((name) => existsSync(join(folder, name)));
  const { status } = spawnSync(tsc, ['-p', join(folder, config), '--emitDeclarationOnly', '--declaration'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  for (const name of readdirSync(join(folder, 'src'))) {
    if (asIs.some((ending) => name.endsWith(ending) || name.endsWith(`${ending}.d.ts`))) cpSync(join(folder, 'src', name), join(out, name));
  }
  takeIn(out, manifest, all);
  if (formats.includes('cjs')) writeForCommonJs(out, Object.keys(manifest.dependencies ?? {}));
  console.log(`built ${manifest.name}`);
}
