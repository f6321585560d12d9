// That every hosted page is looked at: each template of a page has a picture.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sections } from './sections.js';

const here = import.meta.dirname;
const templates = join(here, '..', '..', 'crates', 'auth', 'templates');

/** Pictures that have another name than their template. */
const named = {
  account_accounts: 'several-accounts-centre',
  account_overview: 'account',
  done: 'approved',
  select_organization: 'organization',
};

test('every page of ours is looked at', () => {
  const isTest = (file) => file.endsWith('.test.js');
  const tests = readdirSync(here).filter(isTest).map((file) => readFileSync(join(here, file), 'utf8')).join('\n');
  const pictures = new Set(sections.map((section) => `account-${section}`));
  for (const [, picture] of tests.matchAll(/\b(?:lookAt|look_at|seen)\(page, '([a-z-]+)'/g)) pictures.add(picture);
  const names = pages();
  assert.ok(names.length > 40, names.join(' '));
  const pictureOf = (name) => named[name] ?? name.replaceAll('_', '-');
  assert.deepEqual(names.filter((name) => !pictures.has(pictureOf(name))), [], 'pages without lookAt(page, …)');
});

/** Templates of whole pages: parts and mails extend nothing. */
function pages() {
  const isPage = (file) => !file.startsWith('_') && readFileSync(join(templates, file), 'utf8').startsWith('{% extends');
  return readdirSync(templates).filter(isPage).map((file) => file.replace(/\.html$/, ''));
}
