import { AuthError, requireAccessToken } from '@svc/next/server';

const authorize = requireAccessToken({
  issuer: 'https://id.example',
  audience: 'https://api.example',
  tenantId: 'tnt_1', // or a function of the request
  scope: 'orders:read',
  subjectTypes: ['human', 'agent'], // people only, where it is silent
  delegation: { actors: ['app_assistant'] }, // 'forbid' where it is silent, or 'allow'
  dpop: 'required', // 'optional' where it is silent
  origin: 'https://api.example', // where clients see this API
});

export async function GET(request: Request) {
  try {
    const { claims } = await authorize(request);
    return Response.json({ orders: `of ${claims.sub}` });
  } catch (error) {
    return answerTo(error);
  }
}

/** What was refused says how; anything else is ours to mend. */
export function answerTo(error: unknown) {
  if (error instanceof AuthError) return error.toResponse();
  throw error;
}
