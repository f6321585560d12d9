// Measures what browsers load, minified and compressed by Brotli, and fails above the bounds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './packages.mjs';

/** In bytes: the client with its dependencies, and each package for a framework beside client and framework. */
const BOUNDS = { client: 10 * 1024, react: 4096, vue: 4096, solid: 4096, svelte: 4096 };

let failed = false;
for (const [name, bound] of Object.entries(BOUNDS)) {
  const folder = join(root, 'packages', name);
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const outside = name === 'client' ? [] : ['@svc/client', ...Object.keys(peerDependencies)];
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, 'dist', 'index.js')],
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
    metafile: true,
    outdir: 'out',
    absWorkingDir: root,
    external: outside.flatMap((name) => [name, `${name}/*`]),
    plugins: name === 'svelte' ? [await compiled()] : [],
  });
  const size = (path) => brotliCompressSync(outputFiles.find((file) => file.path.endsWith(path)).contents).length;
  // What is loaded at once: the entry and what it imports, not what it imports later.
  const first = new Set();
  const visit = (path) => {
    if (first.has(path)) return;
    first.add(path);
    for (const { path: next, kind, external } of metafile.outputs[path].imports) if (!external && kind === 'import-statement') visit(next);
  };
  visit('out/index.js');
  const sum = (paths) => [...paths].reduce((total, path) => total + size(path), 0);
  const now = sum(first);
  const later = sum(Object.keys(metafile.outputs).filter((path) => !first.has(path)));
  console.log(`${name}: ${now} of ${bound} bytes${later ? `, and ${later} bytes when they are needed` : ''}`);
  if (now > bound) failed = true;
}
if (failed) {
  console.error('a package is larger than its bound');
  process.exit(1);
}

/** Svelte components as an application compiles them. */
async function compiled() {
  const { compile } = await import('svelte/compiler');
  return {
    name: 'svelte',
    setup: ({ onLoad }) => onLoad({ filter: /\.svelte$/ }, ({ path }) => ({
      contents: compile(readFileSync(path, 'utf8'), { filename: path, generate: 'client' }).js.code,
    })),
  };
}
