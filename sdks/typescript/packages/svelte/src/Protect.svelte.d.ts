import type { Requirement } from '@svc/frontend-ui';
import type { Component, Snippet } from 'svelte';
declare const Protect: Component<Requirement & { children?: Snippet; fallback?: Snippet; loading?: Snippet }>;
export default Protect;
