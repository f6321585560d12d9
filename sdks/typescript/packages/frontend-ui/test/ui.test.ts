import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { $, ADA, SIGNED_OUT, ORGANIZATIONS, clientWith, press, settled } from '../../../test/client.js';
import { isAllowed, isToSignIn, mountOrganizationSwitcher, mountUserButton, partFor, styled } from '../src/index.js';

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

  test('opens where the window has room', async () => {
    const { client } = clientWith(ADA);
    mountUserButton(document.body, client);
    const [button, items] = [$('[aria-haspopup]'), $('[role=menu]')] as [HTMLElement, HTMLElement];
    vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(800);
    vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(600);
    vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(new DOMRect(8, 500, 80, 40));
    const menu = vi.spyOn(items, 'getBoundingClientRect');
    const opened = async (where: DOMRect): Promise<string> => {
      menu.mockReturnValue(where);
      button.click();
      await settled();
      const { className } = items;
      press('Escape');
      return className;
    };
    expect(await opened(new DOMRect(590, 40, 202, 84))).toBe('svc-items');
    expect(await opened(new DOMRect(-104, 40, 202, 84))).toBe('svc-items svc-start');
    expect(await opened(new DOMRect(598.5, 40, 202, 84))).toBe('svc-items');
    expect(await opened(new DOMRect(-104, 540, 202, 84))).toBe('svc-items svc-start svc-above');
    expect(await opened(new DOMRect(590, 540, 202, 520))).toBe('svc-items');
    vi.spyOn(window, 'getComputedStyle').mockReturnValue({ direction: 'rtl' } as CSSStyleDeclaration);
    expect(await opened(new DOMRect(735, 40, 202, 84))).toBe('svc-items svc-start');
    expect(await opened(new DOMRect(-0.4, 40, 202, 84))).toBe('svc-items');
    vi.restoreAllMocks();
  });

  test('leaves a dialog around it open when a key closes it', async () => {
    const { client } = clientWith(ADA);
    const dialog = document.body.appendChild(document.createElement('div'));
    const heard = vi.fn();
    dialog.addEventListener('keydown', heard);
    mountUserButton(dialog, client);
    $('[aria-haspopup]')?.click();
    await settled();
    expect(press('Escape')).toBe(false);
    expect(heard).not.toHaveBeenCalled();
    expect($('[role=menu]')?.hidden).toBe(true);
    expect(press('Escape')).toBe(true);
    expect(heard).toHaveBeenCalledTimes(1);
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

  test('is closed when the person comes back who signed out while it was open', async () => {
    const { client, become } = clientWith(ADA);
    mountUserButton(document.body, client);
    $('[aria-haspopup]')?.click();
    await settled();
    expect($('[role=menu]')?.hidden).toBe(false);
    become(SIGNED_OUT);
    become(ADA);
    expect($('[role=menu]')?.hidden).toBe(true);
    expect($('[aria-haspopup]')?.getAttribute('aria-expanded')).toBe('false');
  });

  test.each(['Escape', 'Tab'])('does not open after %s when its entries come late', async (key) => {
    const { client, calls } = clientWith(ADA);
    let come = (): void => {};
    calls.organizations.mockImplementationOnce(() => new Promise((resolve) => void (come = () => resolve(ORGANIZATIONS))));
    mountOrganizationSwitcher(document.body, client);
    const button = $('[aria-haspopup]') as HTMLElement;
    button.focus();
    button.click();
    await settled();
    press(key);
    come();
    await settled();
    expect($('[role=menu]')?.hidden).toBe(true);
    button.click();
    await settled();
    expect(document.querySelectorAll('[role=menuitemradio]')).toHaveLength(2);
  });

  test('shows the organizations of one person to no other', async () => {
    const { client, calls, become } = clientWith(ADA);
    mountOrganizationSwitcher(document.body, client);
    const texts = async (): Promise<(string | null)[]> => {
      $('[aria-haspopup]')?.click();
      await settled();
      return [...document.querySelectorAll('[role^=menuitem]')].map(({ textContent }) => textContent);
    };
    expect(await texts()).toEqual(['Initech', 'Hooli']);
    become(SIGNED_OUT);
    calls.organizations.mockResolvedValueOnce([{ id: 'org_3', slug: 'umbrella', name: 'Umbrella', roles: [] }]);
    become({ ...ADA, user: { sub: 'usr_2' }, organization: { id: 'org_1', slug: 'org-1', roles: [] } });
    expect($('[aria-haspopup]')?.textContent).toBe('org-1');
    expect(await texts()).toEqual(['Umbrella']);
  });

  test('shows the organizations that the person has when it is opened, and those of before where no answer comes', async () => {
    const { client, calls } = clientWith(ADA);
    const onError = vi.fn();
    mountOrganizationSwitcher(document.body, client, { onError });
    const texts = async (): Promise<(string | null)[]> => {
      $('[aria-haspopup]')?.click();
      await settled();
      const found = [...document.querySelectorAll('[role=menuitemradio]')].map(({ textContent }) => textContent);
      $('[aria-haspopup]')?.click();
      return found;
    };
    expect(await texts()).toEqual(['Initech', 'Hooli']);
    const joined = [...ORGANIZATIONS, { id: 'org_3', slug: 'umbrella', name: 'Umbrella', roles: [] }];
    calls.organizations.mockResolvedValueOnce(joined);
    expect(await texts()).toEqual(['Initech', 'Hooli', 'Umbrella']);
    calls.organizations.mockRejectedValueOnce(new Error('no'));
    expect(await texts()).toEqual(['Initech', 'Hooli', 'Umbrella']);
    expect(onError).not.toHaveBeenCalled();
  });

  test('asks again where another person has come before the answer', async () => {
    const { client, calls, become } = clientWith(ADA);
    let come = (): void => {};
    calls.organizations.mockImplementationOnce(() => new Promise((resolve) => void (come = () => resolve(ORGANIZATIONS))));
    calls.organizations.mockResolvedValueOnce([{ id: 'org_3', slug: 'umbrella', name: 'Umbrella', roles: [] }]);
    mountOrganizationSwitcher(document.body, client);
    $('[aria-haspopup]')?.click();
    await settled();
    become({ ...ADA, user: { sub: 'usr_2' } });
    come();
    await settled();
    expect([...document.querySelectorAll('[role=menuitemradio]')].map(({ textContent }) => textContent)).toEqual(['Umbrella']);
  });

  test('says that there is no organization, which nothing can be done with', async () => {
    const { client, calls } = clientWith({ ...ADA, organization: null });
    mountOrganizationSwitcher(document.body, client, { organizations: [], labels: { none: 'None yet' } });
    $('[aria-haspopup]')?.click();
    await settled();
    const item = $('[role=menuitem]') as HTMLElement;
    expect([item.textContent, item.getAttribute('aria-disabled'), document.activeElement]).toEqual(['None yet', 'true', item]);
    item.click();
    await settled();
    expect(calls.switchOrganization).not.toHaveBeenCalled();
    expect($('[role=menu]')?.hidden).toBe(true);
  });

  test('works in a shadow tree', async () => {
    const { client } = clientWith(ADA);
    const tree = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    const host = tree.appendChild(document.createElement('span'));
    mountOrganizationSwitcher(host, client, { organizations: ORGANIZATIONS });
    tree.querySelector<HTMLElement>('[aria-haspopup]')?.click();
    await settled();
    const first = tree.querySelector('[role=menuitemradio]') as HTMLElement;
    first.dispatchEvent(new Event('pointerdown', { bubbles: true, composed: true }));
    expect(tree.querySelector<HTMLElement>('[role=menu]')?.hidden).toBe(false);
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(tree.querySelector<HTMLElement>('[role=menu]')?.hidden).toBe(true);
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

test('an application of the pages is shown to people who did not allow the sign-in, too', () => {
  for (const name of ['react.md', 'vue.md', 'solid.md', 'svelte.md']) {
    const page = readFileSync(join(import.meta.dirname, '../../../../../docs/packages', name), 'utf8');
    expect(page, name).toMatch(/client\.handleCallback\(\)\.catch\(/);
    expect(page, name).not.toMatch(/client\.handleCallback\(\);/);
  }
});

test('who is allowed', () => {
  expect(isAllowed(SIGNED_OUT, {})).toBe(false);
  expect(isAllowed(ADA, {})).toBe(true);
  expect(isAllowed(ADA, { scopes: ['notes:read'] })).toBe(true);
  expect(isAllowed(ADA, { scopes: ['notes'] })).toBe(false);
  expect(isAllowed(ADA, { roles: ['owner', 'editor'] })).toBe(true);
  expect(isAllowed(ADA, { roles: [] })).toBe(false);
  expect(isAllowed(ADA, { acr: 'urn:svc:aal2' })).toBe(false);
  for (const acr of ['urn:svc:aal2', 'urn:svc:aal3']) expect(isAllowed({ ...ADA, acr }, { acr: 'urn:svc:aal2' }), acr).toBe(true);
  for (const acr of ['urn:svc:aal1', 'zzz', '', null]) expect(isAllowed({ ...ADA, acr }, { acr: 'urn:svc:aal2' }), String(acr)).toBe(false);
  expect(isAllowed(ADA, { acr: 'phr' })).toBe(false);
});

test('what is shown while it is not known whether a person is signed in is for none of both', () => {
  expect(partFor({ ...SIGNED_OUT, status: 'loading' }, {})).toBe('loading');
  expect(partFor(SIGNED_OUT, {})).toBe('fallback');
  expect(partFor(ADA, { acr: 'urn:svc:aal2' })).toBe('fallback');
  expect(partFor(ADA, {})).toBe('children');
});

test('a button begins what its options ask for until that is reached', () => {
  expect(isToSignIn(SIGNED_OUT)).toBe(true);
  expect(isToSignIn({ ...SIGNED_OUT, status: 'loading' }, { acrValues: ['urn:svc:aal2'] })).toBe(false);
  expect(isToSignIn(ADA)).toBe(false);
  expect(isToSignIn(ADA, { acrValues: ['urn:svc:aal2'] })).toBe(true);
  expect(isToSignIn({ ...ADA, acr: 'urn:svc:aal3' }, { acrValues: ['urn:svc:aal2'] })).toBe(false);
  expect(isToSignIn(ADA, { acrValues: ['urn:svc:aal2', 'urn:svc:aal1'] })).toBe(false);
  expect(isToSignIn(ADA, { scopes: ['notes:read'], returnTo: '/' })).toBe(false);
  expect(isToSignIn(ADA, { scopes: ['notes:write'] })).toBe(true);
  expect(isToSignIn(ADA, { scopes: ['read'], resource: 'https://api.example' })).toBe(false);
  for (const organization of ['org_1', 'initech']) expect(isToSignIn(ADA, { organization })).toBe(false);
  expect(isToSignIn(ADA, { organization: 'hooli' })).toBe(true);
  expect(isToSignIn({ ...ADA, organization: null }, { organization: 'hooli' })).toBe(true);
});

test('a button for a fresh sign-in or a prompt has one to begin, whatever the session', () => {
  for (const maxAge of [0, 300]) expect(isToSignIn(ADA, { maxAge })).toBe(true);
  for (const prompt of ['login', 'consent', 'select_account'] as const) expect(isToSignIn(ADA, { prompt })).toBe(true);
  for (const prompt of ['none', 'create'] as const) expect(isToSignIn(ADA, { prompt })).toBe(false);
  expect(isToSignIn({ ...SIGNED_OUT, status: 'loading' }, { maxAge: 0, prompt: 'login' })).toBe(false);
});
