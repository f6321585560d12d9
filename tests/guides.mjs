// The code of the guides: tests take it from docs/ as it stands there, so that they use what readers use.
import { readFileSync } from 'node:fs';

const DOCS = new URL('../docs/', import.meta.url);

/** The blocks of a page in one language. */
export function blocks(page, language) {
  const text = readFileSync(new URL(page, DOCS), 'utf8');
  return text.split(`\`\`\`${language}\n`).slice(1).map((rest) => rest.split('```')[0]);
}
