import adapter from '@sveltejs/adapter-node';

export default {
  kit: {
    adapter: adapter(),
    // The hook of @svc/sveltekit checks where forms come from, and lets the service's notices of sign-outs in.
    csrf: { trustedOrigins: ['*'] },
  },
};
