// How strong a sign-in has to be (OpenID Connect Core §3.1.2.1): by `acr_values`, and by `max_age`.

/** Whether a sign-in is as strong as was asked for, or stronger: `urn:svc:aal3` is more than `urn:svc:aal2`. */
export function reaches(reached: string, asked: string): boolean {
  return reached === asked || (/^urn:svc:aal\d$/.test(asked) && /^urn:svc:aal\d$/.test(reached) && reached > asked);
}

export function levelsOf(acrValues = ''): string[] {
  return acrValues.split(' ').filter(Boolean);
}

/**
 * The parameters of one sign-in: what a link asks for, before those of every sign-in. INVARIANT: the application holds the answer to its
 * own strength, so that no link asks for less.
 */
export function noWeaker(every: Record<string, string>, link: Record<string, string>): Record<string, string> {
  const { acr_values: always, max_age: oldest } = every;
  const parameters = { ...every, ...link };
  const enough = levelsOf(link['acr_values']).filter((level) => levelsOf(always).some((least) => reaches(level, least)));
  if (always) parameters['acr_values'] = enough.join(' ') || always;
  const isYounger = /^\d+$/.test(link['max_age'] ?? '') && Number(link['max_age']) <= Number(oldest);
  if (oldest && !isYounger) parameters['max_age'] = oldest;
  return parameters;
}
