// Authenticators of Chromium: phones that unlock, and security keys.

/** A device; `options` say what it can do. */
export async function device(page, options = {}) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  });
  const ask = (method, more = {}) => session.send(`WebAuthn.${method}`, { authenticatorId, ...more });
  return {
    keys: async () => (await ask('getCredentials')).credentials,
    give: (credential) => ask('addCredential', { credential }),
    unlocks: (isUserVerified) => ask('setUserVerified', { isUserVerified }),
    answers: (enabled) => ask('setAutomaticPresenceSimulation', { enabled }),
    remove: () => ask('removeVirtualAuthenticator'),
  };
}

/** What a security key without a lock cannot do. */
export const usb = { transport: 'usb', hasResidentKey: false, hasUserVerification: false, isUserVerified: false };
