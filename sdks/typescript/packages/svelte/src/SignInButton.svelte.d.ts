import type { LoginOptions } from '@svc/client';
import type { Component, Snippet } from 'svelte';
declare const SignInButton: Component<{ options?: LoginOptions; onerror?: (error: unknown) => void; children?: Snippet }>;
export default SignInButton;
