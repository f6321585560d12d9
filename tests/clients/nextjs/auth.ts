import NextAuth from 'next-auth';

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'svc', // the last part of the redirect URI
      name: 'Acme',
      type: 'oidc',
      issuer: process.env.SVC_ISSUER, // http://localhost:8080
      clientId: process.env.SVC_CLIENT_ID,
      clientSecret: process.env.SVC_CLIENT_SECRET,
    },
  ],
});
