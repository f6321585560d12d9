import type { OrganizationSwitcherOptions } from '@svc/frontend-ui';
import type { Component } from 'svelte';
declare const OrganizationSwitcher: Component<OrganizationSwitcherOptions>;
export default OrganizationSwitcher;
