// What is known of a project before anything is written into it, and what is to be written.

export interface Project {
  /** Every package that the manifest names, with its range. */
  dependencies: Record<string, string>;
  isTyped: boolean;
  /** The entry of its manifest. */
  main: string;
  /** Whether the manifest says that scripts are ESM. */
  isModule: boolean;
  /** The text of a file, if it is there. */
  read(path: string): Promise<string | undefined>;
  /** Whether there is such a folder. */
  has(folder: string): Promise<boolean>;
}

/** The values that are put into the files. */
export interface Settings {
  issuer: string;
  clientId: string;
  redirectUri: string;
}

export interface Plan {
  /** Files to create, where they do not exist. */
  files: Record<string, string>;
  /** Files of the framework's templates, with their new text. */
  changed: Record<string, string>;
  /** What is left to do, for people. */
  left: string[];
}

/** A module with assertions for TypeScript, or without them. */
export function module(text: string, { isTyped }: Project): string {
  return isTyped ? text : text.replace(/\b(env\.SVC_\w+)!/g, '$1');
}

/** The first of these files that is there. */
export async function firstOf(project: Project, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await project.read(path)) !== undefined) return path;
  return undefined;
}

/** The first number of a range; 0 where there is none. */
export function majorOf(range: string | undefined): number {
  return Number(/\d+/.exec(range ?? '')?.[0] ?? 0);
}

/** The text with one place of it replaced, if it has the place. */
export function replaced(text: string | undefined, place: RegExp, by: string): string | undefined {
  return text !== undefined && place.test(text) ? text.replace(place, by) : undefined;
}

/** A component at the start of the page's <main>, which the text has on a line of its own; and its import. */
export function withinMain(text: string, component: string, line: string): string | undefined {
  // A page that runs in the browser cannot show what a server makes.
  const after = /^\s*['"]use client['"]/.test(text) ? undefined : replaced(text, /^([ \t]*)<main\b[^>]*>\n/m, `$&$1  <${component} />\n`);
  return after && `${line}\n${after}`;
}
