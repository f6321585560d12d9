// How strong a sign-in has to be (OpenID Connect Core §3.1.2.1): by `acr_values`, by `max_age`, and by what `prompt` asks the person.

/** Whether a sign-in is as strong as was asked for, or stronger: `urn:svc:aal3` is more than `urn:svc:aal2`. */
export function reaches(reached: string, asked: string): boolean {
  return reached === asked || (/^urn:svc:aal\d$/.test(asked) && /^urn:svc:aal\d$/.test(reached) && reached > asked);
}

/** The values of a parameter that has several, such as `acr_values` and `prompt`. */
export function valuesOf(parameter = ''): string[] {
  return parameter.split(' ').filter(Boolean);
}

/**
 * The parameters of one sign-in: what a link asks for, before those of every sign-in. INVARIANT: the application holds the answer to its
 * own strength, so that no link asks for less.
 */
export function noWeaker(every: Record<string, string>, link: Record<string, string>): Record<string, string> {
  const { acr_values: always, max_age: oldest, prompt } = every;
  const parameters = { ...every, ...link };
  const enough = valuesOf(link['acr_values']).filter((level) => valuesOf(always).some((least) => reaches(level, least)));
  if (always) parameters['acr_values'] = enough.join(' ') || always;
  const isYounger = /^\d+$/.test(link['max_age'] ?? '') && Number(link['max_age']) <= Number(oldest);
  if (oldest && !isYounger) parameters['max_age'] = oldest;
  // What every person is asked stays, so that no link gets by with `none`; where nothing is, the link says it alone.
  const asked = questionsOf(prompt);
  if (asked.length > 0) parameters['prompt'] = [...new Set([...asked, ...questionsOf(link['prompt'])])].join(' ');
  return parameters;
}

/** What a `prompt` asks the person: `none` is no question, and goes with no other. */
function questionsOf(prompt: string | undefined): string[] {
  return valuesOf(prompt).filter((value) => value !== 'none');
}
