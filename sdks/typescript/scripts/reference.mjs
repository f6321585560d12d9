// The reference page of a package, from the declarations that are published: every name that its entries export, with its type and what
// its comment says.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The page of a package, which is built. */
export function reference({ folder, manifest }) {
  const { name, description, exports } = manifest;
  const shown = new Map();
  const entries = Object.entries(exports).flatMap(([path, conditions]) => entry(join(name, path), join(folder, (conditions.import ?? conditions).types), shown));
  const origin = `Every name that the package exports, made from its declarations. [How it is used](../../packages/${name.replace('@svc/', '')}.md).`;
  const others = parts(beside(shown));
  return `${[`# ${name}`, description, origin, ...entries, ...(others.length > 0 ? ['## Types that these name', ...others] : [])].join('\n\n')}\n`;
}

/** What an entry exports. What an earlier one exports too is named alone. */
function entry(path, file, shown) {
  const all = exported(file);
  if (all.size === 0) return [`## \`${path}\``, 'It is run, and exports no name.'];
  const again = [...all.keys()].filter((name) => shown.get(name)?.text === all.get(name).text).sort();
  const first = [...all].filter(([name]) => !again.includes(name));
  first.forEach(([name, made]) => shown.set(name, made));
  return [`## \`${path}\``, ...(again.length > 0 ? [`As above: ${again.map((name) => `\`${name}\``).join(', ')}.`] : []), ...parts(first)];
}

/** Values, then types, each by their names. */
function parts(all) {
  const sorted = [...all].sort(([one, { isType: first }], [other, { isType: second }]) => first - second || (one < other ? -1 : 1));
  return sorted.flatMap(([name, { comment, text }]) => [`### ${name}`, ...(comment ? [comment] : []), `\`\`\`ts\n${text}\n\`\`\``]);
}

/** What stands beside exports without being one: types that they name, and those that these name. */
function beside(shown) {
  const found = new Map();
  const open = [...shown.values()];
  for (let one = open.pop(); one; one = open.pop()) {
    if (!one.file) continue;
    const all = statements(readFileSync(one.file, 'utf8'));
    // Neither what comments say nor values.
    for (const name of new Set(one.text.replace(/\/\*\*[^]*?\*\//g, '').match(/\b[A-Z]\w+\b/g))) {
      if (shown.has(name) || found.has(name)) continue;
      const made = declaration(name, one.file, all);
      if (!made?.isType || !made.file) continue;
      found.set(name, made);
      open.push(made);
    }
  }
  return found;
}

/** What a file of declarations exports: names with their comments and texts. */
export function exported(file) {
  const found = new Map();
  const add = (name, made) => {
    const before = found.get(name);
    // Another way to call the same function.
    found.set(name, before ? { ...before, text: `${before.text}\n${made.text}` } : made);
  };
  const all = statements(readFileSync(file, 'utf8'));
  for (const { comment, text } of all) {
    const [, list, from] = /^export (?:type )?(\*|\{[^]*\})(?: from '([^']+)')?;$/.exec(text) ?? [];
    if (list === '*') {
      for (const [name, made] of exported(path(file, from))) add(name, made);
    } else if (list) {
      for (const [name, as] of names(list)) add(as, named(name, from, file, all));
    } else if (/^export default \w+;$/.test(text)) {
      add('default', named(/(\w+);$/.exec(text)[1], undefined, file, all));
    } else if (text.startsWith('export ')) {
      add(nameOf(text) ?? 'default', declared({ comment, text }, file));
    }
  }
  return found;
}

/** A name of a list of exports, wherever it is declared. */
function named(name, from, file, all) {
  if (from?.startsWith('.')) return exported(path(file, from)).get(name) ?? fail(`${file}: ${from} has no ${name}`);
  if (from) return { comment: '', text: `export { ${name} } from '${from}';`, isType: true };
  return declaration(name, file, all) ?? fail(`${file} declares no ${name}`);
}

/** What a file declares or takes from another. */
function declaration(name, file, all) {
  const own = all.find(({ text }) => nameOf(text) === name);
  if (own) return declared(own, file);
  for (const { text } of all) {
    const [, list, from] = /^import (?:type )?(\{[^]*\}) from '([^']+)';$/.exec(text) ?? [];
    const found = list && names(list).find(([, as]) => as === name);
    if (found) return named(found[0], from, file, all);
  }
  return undefined;
}

function declared({ comment, text }, file) {
  const shown = text.replace(/^export (default |declare )?|^declare /, '').replace('    #private;\n', '');
  return { file, comment, text: shown, isType: /^(export )?(declare )?(interface|type) /.test(text) };
}

function names(list) {
  const each = list.replace(/[{}]/g, '').split(',').map((name) => name.trim().replace(/^type /, '')).filter(Boolean);
  return each.map((name) => name.split(' as ')).map(([name, as = name]) => [name, as]);
}

function nameOf(text) {
  return /^(?:export )?(?:declare )?(?:abstract )?(?:function|const|let|class|interface|type|enum) ([\w$]+)/.exec(text)?.[1];
}

function path(file, from) {
  const near = join(dirname(file), from);
  const found = [near.replace(/\.js$/, '.d.ts'), `${near}.d.ts`].find((path) => path.endsWith('.d.ts') && existsSync(path));
  return found ?? fail(`${file}: there is no ${from}`);
}

/** The statements of a file, each with the comment before it. */
function statements(text) {
  const found = [];
  let [comment, lines] = ['', []];
  for (const line of text.split('\n')) {
    if (lines.length === 0 && /^(\/\*\*| \*)/.test(line)) {
      comment = `${line.startsWith('/**') ? '' : comment}\n${line}`;
    } else if (lines.length > 0 || line.trim()) {
      lines.push(line);
      const whole = lines.join('\n');
      if (/[;}]$/.test(line) && whole.split(/[{(]/).length === whole.split(/[})]/).length) {
        found.push({ comment: prose(comment), text: whole });
        [comment, lines] = ['', []];
      }
    }
  }
  return found;
}

function prose(comment) {
  return comment.replace(/\/\*\*|\*\//g, '').split('\n').map((line) => line.trim().replace(/^\* ?/, '')).join('\n').trim();
}

function fail(message) {
  throw new Error(message);
}
