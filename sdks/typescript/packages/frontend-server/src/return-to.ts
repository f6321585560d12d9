// Where a sign-in leads afterwards: a path of the application itself, whatever the request says.

const LONGEST = 2_048;

/** The path, with query and fragment, if it stays at `origin`; otherwise `/`. */
export function localPath(wanted: string | null | undefined, origin: string): string {
  if (!wanted || wanted.length > LONGEST || !wanted.startsWith('/') || /[\u0000-\u0020\u007f\\]/.test(wanted)) return '/';
  if (wanted.startsWith('//') || !URL.canParse(wanted, origin)) return '/';
  const url = new URL(wanted, origin);
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Dots may have led to a second slash, and letters beyond ASCII are longer as they are written: a cookie has to hold the path.
  return url.origin === origin && !path.startsWith('//') && path.length <= LONGEST ? path : '/';
}
