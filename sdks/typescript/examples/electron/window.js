const element = (id) => document.getElementById(id);
const say = (text) => (element('said').textContent = text);

function show({ status, user, acr, organization, error }) {
  element('status').textContent = status;
  element('person').textContent = user?.name ?? '';
  element('acr').textContent = acr ?? '';
  element('organization').textContent = organization?.slug ?? '';
  say(error?.code ?? '');
}

window.svc.subscribe(show);
window.svc.state().then(show);
const on = (id, act) => (element(id).onclick = () => act().catch((error) => say(error.message)));
on('sign-in', () => window.svc.login());
on('step-up', () => window.svc.login({ acrValues: ['urn:svc:aal2'] }));
on('sign-out', () => window.svc.logout());
