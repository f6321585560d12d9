import { createProxy } from '@/auth';

export const proxy = createProxy({ protect: ['/account'] });

export const config = { matcher: ['/((?!_next/static|_next/image|favicon.ico).*)'] };
