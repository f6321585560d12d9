/** Sign-in with svc for Svelte. */
export { setClient, useClient, useSession } from './context.js';
export { default as OrganizationSwitcher } from './OrganizationSwitcher.svelte';
export { default as Protect } from './Protect.svelte';
export { default as SignInButton } from './SignInButton.svelte';
export { default as UserButton } from './UserButton.svelte';
