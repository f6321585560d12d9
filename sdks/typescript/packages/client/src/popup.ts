// Sign-in by a window of its own. Loaded when it is asked for.

/** Waits until the window has come back with the address for this state, or was closed. */
export function inPopup(popup: Window, state: string, address: string, waiting: Map<string, (url: string) => void>): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = (how: () => void): void => {
      clearInterval(watch);
      waiting.delete(state);
      how();
    };
    let closed = 0;
    const watch = setInterval(() => {
      // A window at a service that isolates itself looks closed although it is open: that is believed after two minutes.
      if (popup.closed && ++closed > 240) end(() => reject('popup_closed'));
    }, 500);
    waiting.set(state, (url) => end(() => resolve(url)));
    popup.location.href = address;
  });
}
