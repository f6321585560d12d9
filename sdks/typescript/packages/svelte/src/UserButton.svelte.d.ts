import type { UserButtonOptions } from '@svc/frontend-ui';
import type { Component } from 'svelte';
declare const UserButton: Component<UserButtonOptions>;
export default UserButton;
