// Where a sign-in leads afterwards: a path of the application itself, whatever the request says.

/** The path, with query and fragment, if it stays at `origin`; otherwise `/`. */
export function localPath(wanted: string | null | undefined, origin: string): string {
  if (!wanted || wanted.length > 2_048 || !wanted.startsWith('/') || /[\u0000-\u0020\u007f\\]/.test(wanted)) return '/';
  if (wanted.startsWith('//') || !URL.canParse(wanted, origin)) return '/';
  const url = new URL(wanted, origin);
  // Dots may have led to a second slash.
  return url.origin === origin && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : '/';
}
