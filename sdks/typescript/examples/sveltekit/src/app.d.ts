import type { LocalAuth } from '@svc/sveltekit';

declare global {
  namespace App {
    interface Locals {
      auth: LocalAuth;
    }
  }
}

export {};
