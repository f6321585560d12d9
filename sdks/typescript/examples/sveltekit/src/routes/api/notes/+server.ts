import { env } from '$env/dynamic/private';
import { requireAccessToken } from '@svc/sveltekit';
import { json } from '@sveltejs/kit';

const rules = {
  issuer: env.SVC_ISSUER!,
  audience: 'https://api.demo.example',
  tenantId: env.SVC_TENANT_ID!,
  scope: 'notes:read',
};

export const GET = requireAccessToken(rules, (_event, { claims }) => json({ notes: [`a note of ${claims.sub}`] }));
