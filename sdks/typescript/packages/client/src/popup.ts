// Sign-in by a window of its own, from both sides. Loaded when it is asked for.
import type { Tabs } from './tabs.js';

/** Ends the attempt before a new one, if its window looks closed. */
let replace = (): void => {};

/** Waits until the window has come back with the address for this state, or was closed. */
export function inPopup(popup: Window, state: string, address: string, others: Tabs): Promise<string> {
  // What was closed long ago must not be told when the person has signed in by another window.
  replace();
  return new Promise((resolve, reject) => {
    const end = (how: () => void): void => {
      clearInterval(watch);
      forget();
      how();
    };
    let closed = 0;
    const giveUp = (): void => end(() => reject('popup_closed'));
    const watch = setInterval(() => {
      // A window at a service that isolates itself looks closed although it is open: that is believed after two minutes.
      if (popup.closed && ++closed > 240) giveUp();
    }, 500);
    replace = () => void (popup.closed && giveUp());
    const forget = others.hear((message) => {
      if (message.t !== 'callback' || stateIn(message.url) !== state) return;
      others.tell({ t: 'taken', url: message.url });
      end(() => resolve(message.url));
    });
    popup.location.href = address;
  });
}

/** The state in an address; a tab of another version may have sent anything. */
function stateIn(address: string): string | null {
  try {
    return new URL(address).searchParams.get('state');
  } catch {
    return null;
  }
}

/** In a window that `login()` opened: the page that opened it goes on. */
export async function handOver(url: string, others: Tabs): Promise<void> {
  const taken = others.within(3_000, (message) => message.t === 'taken' && message.url === url);
  others.tell({ t: 'callback', url });
  if (!(await taken)) throw 'state_mismatch';
  globalThis.close?.();
}
