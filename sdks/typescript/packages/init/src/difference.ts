// What people are shown before anything is written.

/** A new file. */
export function shown(name: string, text: string): string {
  return `+++ ${name}\n${marked('+', text.trimEnd().split('\n'))}`;
}

/** The lines of a file that change, from the first to the last, with a line around them. */
export function difference(name: string, before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let first = 0;
  while (first < Math.min(old.length, now.length) && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < Math.min(old.length, now.length) - first && old.at(-1 - last) === now.at(-1 - last)) last += 1;
  const around = [old.slice(Math.max(0, first - 1), first), old.slice(old.length - last, old.length - last + 1)];
  const parts = [marked(' ', around[0] ?? []), ...lines(old.slice(first, old.length - last), now.slice(first, now.length - last)), marked(' ', around[1] ?? [])];
  return [`--- ${name}`, ...parts.filter(Boolean)].join('\n');
}

/** Lines that go and lines that come; what stays between them is shown as such. */
function lines(old: string[], now: string[]): string[] {
  const shown: string[] = [];
  let at = 0;
  for (const line of now) {
    const found = old.indexOf(line, at);
    if (found < 0) {
      shown.push(`+ ${line}`);
      continue;
    }
    shown.push(...old.slice(at, found).map((gone) => `- ${gone}`), `  ${line}`);
    at = found + 1;
  }
  return [...shown, ...old.slice(at).map((gone) => `- ${gone}`)];
}

function marked(mark: string, text: string[]): string {
  return text.map((line) => `${mark} ${line}`).join('\n');
}
