// What the components of every framework do alike: each package's test says how its page is shown.
import { afterEach, expect, test } from 'vitest';
import { $, ADA, SIGNED_OUT, clientWith, settled } from './client.js';

/** Shows `SignInButton`, another with `maxAge: 300` and the text "Confirm", `UserButton`, `OrganizationSwitcher`, and `Protect` (scope `notes:read`) with texts "secret", "nothing" and "wait". */
export type Show = (client: ReturnType<typeof clientWith>['client'], host: HTMLElement) => (() => void) | Promise<() => void>;

export function components(show: Show): void {
  let remove: () => void = () => {};
  afterEach(() => {
    remove();
    document.body.replaceChildren();
  });

  async function shown(state: typeof ADA) {
    const double = clientWith(state);
    const host = document.body.appendChild(document.createElement('main'));
    remove = await show(double.client, host);
    await settled();
    return { ...double, host };
  }

  test('a person without a session sees a button to sign in, and nothing that is protected', async () => {
    const { host, calls } = await shown(SIGNED_OUT);
    expect(host.textContent).toContain('nothing');
    expect(host.textContent).not.toContain('secret');
    expect($('[aria-haspopup]')).toBeNull();
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Sign in');
    button?.click();
    await settled();
    expect(calls.login).toHaveBeenCalledTimes(1);
  });

  test('while it is not known whether a person is signed in, neither part that is protected is shown, and no button', async () => {
    const { host, become } = await shown({ ...SIGNED_OUT, status: 'loading' });
    expect(host.textContent).toContain('wait');
    expect(host.textContent).not.toMatch(/secret|nothing|Sign in/);
    become(SIGNED_OUT);
    await settled();
    expect(host.textContent).toContain('nothing');
    expect(host.textContent).toContain('Sign in');
    expect(host.textContent).not.toContain('wait');
  });

  test('a person who signs in sees the menus and what is protected, and no sign-in button', async () => {
    const { host, become } = await shown(SIGNED_OUT);
    become(ADA);
    await settled();
    expect(host.textContent).toContain('secret');
    expect(host.textContent).not.toContain('nothing');
    expect(host.textContent).not.toContain('Sign in');
    expect(document.querySelectorAll('[aria-haspopup=menu]')).toHaveLength(2);
    expect($('b')).toBeNull();
    become({ ...ADA, scopes: ['openid'] });
    await settled();
    expect(host.textContent).not.toContain('secret');
  });

  test('a button for more than a session has is there for a person who is signed in, and not before that is known', async () => {
    const { host, calls, become } = await shown({ ...SIGNED_OUT, status: 'loading' });
    expect(host.textContent).not.toContain('Confirm');
    become(ADA);
    await settled();
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Confirm');
    button?.click();
    await settled();
    expect(calls.login).toHaveBeenCalledWith({ maxAge: 300 });
  });

  test('the menus act, and everything goes with the page', async () => {
    const { calls, listeners } = await shown(ADA);
    $('[aria-label^="Account"][aria-haspopup]')?.click();
    await settled();
    $('[role=menuitem]')?.click();
    await settled();
    expect(calls.logout).toHaveBeenCalledWith({ returnTo: '/' });
    $('[aria-label^="Organization"][aria-haspopup]')?.click();
    await settled();
    ([...document.querySelectorAll('[role=menuitemradio]')].find(({ textContent }) => textContent === 'Hooli') as HTMLElement).click();
    await settled();
    expect(calls.switchOrganization).toHaveBeenCalledWith('org_2');
    remove();
    await settled();
    expect(listeners.size).toBe(0);
  });
}
