interface ImportMeta {
  readonly env: { VITE_SVC_ISSUER: string; VITE_SVC_CLIENT_ID: string; VITE_SVC_STORAGE?: string; VITE_SVC_DPOP?: string; VITE_ORGANIZATIONS?: string };
}
