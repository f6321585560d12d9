// What a process has once, although bundlers put several copies of this module into it (one for each route, and one for middleware).

const HOLDER = Symbol.for('svc.frontend-server');

/** The value of this name in the process, made when first asked for. */
export function shared<T>(name: string, make: () => T): T {
  const holder = globalThis as { [HOLDER]?: Map<string, unknown> };
  const values = (holder[HOLDER] ??= new Map());
  if (!values.has(name)) values.set(name, make());
  return values.get(name) as T;
}
