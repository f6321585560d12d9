// The declarations that tsc made, as they are published.
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { linked } from './packages.mjs';

/** Takes the declarations of internal packages into a package that names them; `all` are the packages of the workspace. */
export function takeIn(out, manifest, all) {
  const internal = linked(manifest).filter((name) => name.startsWith('@svc/frontend-'));
  const taken = new Set();
  const visit = (name) => {
    const one = all.find(({ manifest }) => manifest.name === name);
    if (!one || taken.has(name)) return;
    taken.add(name);
    cpSync(join(one.folder, 'dist'), join(out, place(name)), { recursive: true, filter: (path) => !/\.c?js$/.test(path) });
    linked(one.manifest).filter((other) => other.startsWith('@svc/frontend-')).forEach(visit);
  };
  if (!manifest.private) internal.forEach(visit);
  for (const file of declarations(out)) {
    const text = readFileSync(file, 'utf8');
    const done = text.replace(/(['"])(@svc\/frontend-[a-z-]+)(?:\/([a-z-]+))?\1/g, (whole, quote, name, entry = 'index') =>
      taken.has(name) ? `${quote}${inside(file, join(out, place(name), `${entry}.js`))}${quote}` : whole);
    if (done !== text) writeFileSync(file, done);
  }
}

/** Declarations of a package that is built as CommonJS too. What it depends on is ESM, of which it needs the types alone. */
export function writeForCommonJs(out, dependencies) {
  for (const file of declarations(out)) {
    const text = readFileSync(file, 'utf8')
      .replace(/(\bfrom\s*['"]\.[^'"]*)\.js(['"])/g, '$1.cjs$2')
      .replace(/^(import|export)(?: type)? \{([^}]*)\} from '([^']+)';$/gm, (whole, verb, names, from) =>
        dependencies.includes(from) ? `${verb} type {${names.replace(/\btype /g, '')}} from '${from}' with { 'resolution-mode': 'import' };` : whole);
    writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), text);
  }
}

function place(name) {
  return `_${name.slice('@svc/'.length)}`;
}

function inside(from, to) {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function declarations(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
