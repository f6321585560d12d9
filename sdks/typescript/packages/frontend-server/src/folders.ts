// Which pages a list of folders means, however an address spells them.

/**
 * Whether a path is one of these folders, or below one. Routers decode paths, some drop empty segments, and some take any letter case:
 * so does this, since a page that a router finds under a spelling of its own must not go unguarded.
 */
export function isWithin(pathname: string, folders: readonly string[]): boolean {
  const path = plain(pathname);
  // No router has a page at a path that cannot be read; it is not let pass either.
  return folders.some((folder) => path === undefined || path.startsWith(plain(folder) ?? '/'));
}

function plain(path: string): string | undefined {
  try {
    return `/${decodeURIComponent(path)}/`.replace(/[/\\]+/g, '/').toLowerCase();
  } catch {
    return undefined;
  }
}
