// The sections of the account centre that everyone has.
export const sections = [
  'profile', 'email', 'password', 'passkeys', 'second-factors', 'backup-codes', 'sessions', 'login-history', 'delegations', 'organizations', 'data', 'deletion',
];
