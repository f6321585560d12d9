/** What the packages for frameworks share: menus made of plain elements, and who may see what. */
import type { Client, LoginOptions, Organization, SessionState } from '@svc/client';

/** What a person needs to see a part of a page. The API decides; this decides what is shown. */
export interface Requirement {
  scopes?: readonly string[];
  /** Roles in the organization in which the person acts: one of them is enough. */
  roles?: readonly string[];
  /** The strength, `urn:svc:aal2`: a stronger sign-in is enough too. */
  acr?: string;
}

/** What a server renders, and a page that takes over what it rendered: neither knows a session yet. */
export const UNKNOWN: SessionState = { status: 'loading', user: null, organization: null, scopes: [], acr: null, error: null };

export function isAllowed(state: SessionState, { scopes = [], roles, acr }: Requirement): boolean {
  return state.status === 'signed-in' &&
    scopes.every((scope) => state.scopes.includes(scope)) &&
    (!roles || roles.some((role) => state.organization?.roles.includes(role))) &&
    (!acr || reaches(state.acr ?? '', acr));
}

/** Whether a sign-in is as strong as another, or stronger: the levels of the service differ by their last digit. */
const reaches = (reached: string, asked: string): boolean => reached.slice(0, -1) === asked.slice(0, -1) && reached >= asked;

/** Which part of `Protect` is shown; `fallback` also where there is no part for the time in which no session is known. */
export function partFor(state: SessionState, requirement: Requirement): 'children' | 'fallback' | 'loading' {
  return isAllowed(state, requirement) ? 'children' : state.status === 'loading' ? 'loading' : 'fallback';
}

/**
 * Whether a button has a sign-in to begin. A person who is signed in has one where more is asked for than the session has: it does not tell
 * its age, and a prompt asks each time; `none` shows no page, and `create` makes another account. While it is not known whether there
 * is a session, there is none to begin, so that people who are signed in see no button come and go.
 */
export function isToSignIn(state: SessionState, { scopes, acrValues, resource, maxAge, prompt = 'none', organization: place }: LoginOptions = {}): boolean {
  const { status, organization } = state;
  // The session tells the scopes of its first API alone.
  return status !== 'loading' && (!isAllowed(state, scopes && resource === undefined ? { scopes } : {}) ||
    Boolean(acrValues?.[0] && !acrValues.some((acr) => isAllowed(state, { acr }))) ||
    maxAge !== undefined || !['none', 'create'].includes(prompt) || Boolean(place && place !== organization?.id && place !== organization?.slug));
}

export interface UserButtonOptions {
  /** Where the person manages their account; the entry is absent without it. */
  accountUrl?: string;
  /** Where sign-out leads: a registered address of the application. */
  returnTo?: string;
  labels?: { account?: string; signOut?: string; menu?: string };
  onError?: (error: unknown) => void;
}

export interface OrganizationSwitcherOptions {
  /** The organizations to choose from; by default `client.organizations()`. */
  organizations?: readonly Organization[];
  labels?: { menu?: string; none?: string };
  onSwitch?: (organization: Organization) => void;
  onError?: (error: unknown) => void;
}

interface Entry {
  text: string;
  isChosen?: boolean;
  /** Without it there is nothing to choose. */
  act?: () => unknown;
}

const CSS = `.svc-menu{position:relative;display:inline-block;font:var(--svc-font,inherit)}
.svc-button{min-height:2.5rem;padding:.25rem .75rem;font:inherit;color:var(--svc-color,#111);background:var(--svc-background,#fff);border:1px solid var(--svc-border,#767676);border-radius:var(--svc-radius,.5rem);cursor:pointer}
.svc-button:focus-visible,.svc-items>*:focus-visible{outline:2px solid var(--svc-accent,#1d4ed8);outline-offset:2px}
.svc-items{position:absolute;inset-inline-end:0;z-index:var(--svc-layer,1000);min-width:12rem;max-height:60vh;overflow-y:auto;margin:.25rem 0 0;padding:.25rem;background:var(--svc-background,#fff);border:1px solid var(--svc-border,#767676);border-radius:var(--svc-radius,.5rem)}
.svc-items[hidden]{display:none}
.svc-start{inset-inline:0 auto}
.svc-above{bottom:100%;margin:0 0 .25rem}
.svc-items>*{display:block;width:100%;min-height:2.25rem;padding:.25rem .5rem;font:inherit;text-align:start;color:var(--svc-color,#111);background:none;border:0;border-radius:var(--svc-radius,.5rem);cursor:pointer}
.svc-items>*:hover,.svc-items>*:focus{background:var(--svc-hover,#e8eefc)}
.svc-items>[aria-checked=true]{font-weight:600}`;

/** The class of buttons; the first call brings the styles. A constructed sheet needs no `unsafe-inline`. */
export function styled(): string {
  if (typeof document !== 'undefined' && !sheets.has(document)) {
    sheets.add(document);
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(CSS);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    } catch {
      document.head.append(Object.assign(document.createElement('style'), { textContent: CSS }));
    }
  }
  return 'svc-button';
}
const sheets = new WeakSet<Document>();

/** A button with the person's name, and a menu to manage the account and to sign out. Gives what removes it again. */
export function mountUserButton(host: HTMLElement, client: Client, options: UserButtonOptions = {}): () => void {
  const { labels = {}, accountUrl, returnTo, onError = ignore } = options;
  const entries: Entry[] = [];
  if (accountUrl) entries.push({ text: labels.account ?? 'Manage account', act: () => location.assign(accountUrl) });
  entries.push({ text: labels.signOut ?? 'Sign out', act: () => client.logout(returnTo === undefined ? {} : { returnTo }) });
  return menu(host, client, ({ user }) => user && {
    text: user.name ?? user.preferred_username ?? user.email ?? user.sub,
    label: labels.menu ?? 'Account',
    entries,
  }, onError);
}

/** A button with the organization, and a menu to go on in another one. */
export function mountOrganizationSwitcher(host: HTMLElement, client: Client, options: OrganizationSwitcherOptions = {}): () => void {
  const { labels = {}, onError = ignore, onSwitch } = options;
  const none = labels.none ?? 'No organization';
  let all = options.organizations;
  let whose: string | undefined;
  const entries = async (): Promise<Entry[]> => {
    const asked = whose;
    // People join and leave organizations while the page is open; where no answer comes, those of before serve.
    const found = options.organizations ?? await client.organizations().catch((reason: unknown) => {
      if (all && asked === whose) return all;
      throw reason;
    });
    if (asked !== whose) return entries();
    all = found;
    return found.length === 0 ? [{ text: none }] : found.map((one) => ({
      text: one.name ?? one.slug,
      isChosen: one.id === client.getSnapshot().organization?.id,
      act: () => client.switchOrganization(one.id).then(() => onSwitch?.(one)),
    }));
  };
  return menu(host, client, ({ user, organization }) => {
    // The organizations of one person are not shown to the next.
    if (user && user.sub !== whose) [whose, all] = [user.sub, options.organizations];
    return user && {
      text: all?.find(({ id }) => id === organization?.id)?.name ?? organization?.name ?? organization?.slug ?? none,
      label: labels.menu ?? 'Organization',
      entries,
    };
  }, onError);
}

const ignore = (): void => {};

interface Menu {
  text: string;
  label: string;
  entries: Entry[] | (() => Promise<Entry[]>);
}

/** The pattern "menu button" of the ARIA practices. What people and servers said is text, never markup. */
function menu(host: HTMLElement, client: Client, shown: (state: SessionState) => Menu | null, onError: (error: unknown) => void): () => void {
  styled();
  const make = <K extends keyof HTMLElementTagNameMap>(name: K, attributes: Record<string, string>): HTMLElementTagNameMap[K] => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const id = `svc-${(count += 1)}`;
  const frame = make('div', { class: 'svc-menu' });
  const button = make('button', { type: 'button', class: 'svc-button', 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-controls': id });
  const items = make('div', { id, class: 'svc-items', role: 'menu', hidden: '' });
  frame.append(button, items);

  const draw = (): void => {
    const now = shown(client.getSnapshot());
    if (!now) {
      close(false);
      return frame.remove();
    }
    button.textContent = now.text;
    button.setAttribute('aria-label', `${now.label}: ${now.text}`);
    items.setAttribute('aria-label', now.label);
    if (!frame.isConnected) host.append(frame);
  };
  /** Counts what opened and closed the menu: entries that come late open none that was closed meanwhile. */
  let turns = 0;
  const close = (isFocused: boolean): void => {
    turns += 1;
    items.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    if (isFocused) button.focus();
  };
  const open = async (isLast = false): Promise<void> => {
    const now = shown(client.getSnapshot());
    if (!now) return;
    const turn = (turns += 1);
    const entries = typeof now.entries === 'function' ? await now.entries() : now.entries;
    if (turn !== turns) return;
    items.replaceChildren(...entries.map(({ text, isChosen, act }) => {
      const item = make('button', { type: 'button', tabindex: '-1', role: isChosen === undefined ? 'menuitem' : 'menuitemradio' });
      if (isChosen !== undefined) item.setAttribute('aria-checked', String(isChosen));
      if (!act) item.setAttribute('aria-disabled', 'true');
      item.textContent = text;
      item.onclick = () => {
        close(true);
        Promise.resolve().then(act).catch(onError);
      };
      return item;
    }));
    items.hidden = false;
    place(items, button);
    button.setAttribute('aria-expanded', 'true');
    (items.children[isLast ? entries.length - 1 : 0] as HTMLElement | undefined)?.focus();
  };
  button.onclick = () => void (items.hidden ? open().catch(onError) : close(true));
  frame.onkeydown = (event) => {
    const all = [...items.children] as HTMLElement[];
    const at = all.indexOf((frame.getRootNode() as Document).activeElement as HTMLElement);
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1 + all.length, Home: 0, End: all.length - 1 };
    if (event.key === 'Escape' && !items.hidden) {
      // A dialog around it stays open: one key closes one thing.
      event.preventDefault();
      event.stopPropagation();
      close(true);
    } else if (event.key === 'Escape') close(false);
    else if (event.key === 'Tab') close(false);
    else if (event.key in moves) {
      event.preventDefault();
      if (items.hidden) void open(event.key === 'ArrowUp').catch(onError);
      else all[(moves[event.key] as number) % all.length]?.focus();
    }
  };
  const outside = (event: Event): void => {
    // In a shadow tree the target is its host.
    if (!event.composedPath().includes(frame)) close(false);
  };
  document.addEventListener('pointerdown', outside);
  const forget = client.subscribe(draw);
  draw();
  return () => {
    forget();
    turns += 1;
    document.removeEventListener('pointerdown', outside);
    frame.remove();
  };
}
let count = 0;

/** Puts a menu where the window has room: what is beyond the start of a page, or of a bar that does not move, nothing scrolls to. */
function place(items: HTMLElement, button: HTMLElement): void {
  items.classList.remove('svc-start', 'svc-above');
  const { left, right, bottom, height } = items.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  // It begins at the end of its button: only the side where that is the other way may lack room.
  const isBeyond = getComputedStyle(items).direction === 'rtl' ? right > clientWidth : left < 0;
  items.classList.toggle('svc-start', isBeyond);
  items.classList.toggle('svc-above', bottom > clientHeight && button.getBoundingClientRect().top > height);
}
