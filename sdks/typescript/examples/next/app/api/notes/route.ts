import { requireAccessToken } from '@svc/next';

const rules = {
  issuer: process.env.SVC_ISSUER!,
  audience: 'https://api.demo.example',
  tenantId: process.env.SVC_TENANT_ID!,
  scope: 'notes:read',
};

export const GET = requireAccessToken(rules, (_request, { claims }) => Response.json({ notes: [`a note of ${claims.sub}`] }));
