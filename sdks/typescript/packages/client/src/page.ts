// The page in which an application is shown.

/** Takes the browser to the end of the session. INVARIANT: by a form, so that the ID token is in no address. */
export function leave(action: string, fields: Record<string, string>): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  document.body.append(form);
  form.submit();
}
