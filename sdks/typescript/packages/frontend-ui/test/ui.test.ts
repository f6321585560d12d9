import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { $, ADA, SIGNED_OUT, ORGANIZATIONS, clientWith, press, settled } from '../../../test/client.js';
import { isAllowed, mountOrganizationSwitcher, mountUserButton, styled } from '../src/index.js';

afterEach(() => document.body.replaceChildren());

describe('the menu button', () => {
  test('opens, moves and closes by keys, and gives the focus back', async () => {
    const { client } = clientWith(ADA);
    mountOrganizationSwitcher(document.body, client, { organizations: ORGANIZATIONS });
    const button = $('[aria-haspopup=menu]') as HTMLElement;
    expect(button.getAttribute('aria-label')).toBe('Organization: Initech');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    button.focus();
    press('ArrowDown');
    await settled();
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(document.activeElement?.textContent).toBe('Initech');
    expect(document.activeElement?.getAttribute('aria-checked')).toBe('true');
    press('ArrowDown');
    expect(document.activeElement?.textContent).toBe('Hooli');
    press('ArrowDown');
    expect(document.activeElement?.textContent).toBe('Initech');
    press('ArrowUp');
    expect(document.activeElement?.textContent).toBe('Hooli');
    press('Home');
    expect(document.activeElement?.textContent).toBe('Initech');
    press('End');
    expect(document.activeElement?.textContent).toBe('Hooli');
    press('Escape');
    expect(document.activeElement).toBe(button);
    expect($('[role=menu]')?.hidden).toBe(true);
  });

  test('closes when something else is pressed, and shows names as text', async () => {
    const { client } = clientWith(ADA);
    mountUserButton(document.body, client, { accountUrl: 'https://id.example/account' });
    expect($('b')).toBeNull();
    expect($('[aria-haspopup]')?.textContent).toBe('<b>Ada</b>');
    $('[aria-haspopup]')?.click();
    await settled();
    expect([...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent)).toEqual(['Manage account', 'Sign out']);
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect($('[role=menu]')?.hidden).toBe(true);
  });

  test('says what went wrong to the caller', async () => {
    const { client, calls } = clientWith(ADA);
    const onError = vi.fn();
    calls.organizations.mockRejectedValueOnce(new Error('no'));
    mountOrganizationSwitcher(document.body, client, { onError });
    $('[aria-haspopup]')?.click();
    await settled();
    expect(onError).toHaveBeenCalledTimes(1);
  });
});

test('what the pages say of themes is what the styles take', () => {
  styled();
  const sheets = [...document.adoptedStyleSheets, ...document.styleSheets];
  const styles = sheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join('');
  const names = (text: string): string[] => [...new Set(text.match(/--svc-[a-z]+/g))].sort();
  expect(names(styles)).toHaveLength(8);
  const page = (name: string): string => readFileSync(join(import.meta.dirname, '../../../../../docs/packages', name), 'utf8');
  expect(names(page('react.md'))).toEqual(names(styles));
  for (const name of ['vue.md', 'solid.md', 'svelte.md']) expect(page(name), name).toMatch(/\(react\.md\)/);
});

test('who is allowed', () => {
  expect(isAllowed(SIGNED_OUT, {})).toBe(false);
  expect(isAllowed(ADA, {})).toBe(true);
  expect(isAllowed(ADA, { scopes: ['notes:read'] })).toBe(true);
  expect(isAllowed(ADA, { scopes: ['notes'] })).toBe(false);
  expect(isAllowed(ADA, { roles: ['owner', 'editor'] })).toBe(true);
  expect(isAllowed(ADA, { roles: [] })).toBe(false);
  expect(isAllowed(ADA, { acr: 'urn:svc:aal2' })).toBe(false);
});
