import { createMiddleware } from '@solidjs/start/middleware';
import { onRequest } from './auth';

export default createMiddleware({ onRequest: onRequest({ protect: ['/account'] }) });
