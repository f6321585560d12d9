// A mail server that is not ours takes the mails: with its credentials, from the configured sender, once, and again after it was busy.
import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { after, before, test } from 'node:test';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

const dev = JSON.parse(process.env.SVC_DEV);
const relay = JSON.parse(process.env.SVC_RELAY);
const mails = new EventEmitter();
const arrived = on(mails, 'mail');
let refusals = 0;
let server;
let token;

before(async () => {
  server = new SMTPServer({
    // The configuration of the test says so: the development server and this one talk over loopback.
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, decide) =>
      username === relay.username && password === relay.password
        ? decide(null, { user: username })
        : decide(new Error('unknown user')),
    onData: async (stream, { envelope, user }, taken) => {
      const mail = await simpleParser(stream);
      if (refusals > 0) {
        refusals -= 1;
        return taken(Object.assign(new Error('busy, come again'), { responseCode: 451 }));
      }
      taken();
      mails.emit('mail', { mail, envelope, user });
    },
  });
  await new Promise((resolve) => server.listen(relay.port, '127.0.0.1', resolve));
  token = await ofAdministrators();
});
after(() => new Promise((resolve) => server.close(resolve)));

async function ofAdministrators() {
  const { client_id, client_secret } = dev.clients.find(({ handle }) => handle === 'admin-cli');
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'tenant-users:write', resource: `${dev.issuer}/api` });
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const answer = await fetch(`${dev.issuer}/oauth/token`, { method: 'POST', headers: { authorization }, body });
  return (await answer.json()).access_token;
}

/** Invites a person, who gets a mail. */
async function invite(email, name) {
  const answer = await fetch(`${dev.issuer}/api/v1/tenant-users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, name, invite: true }),
  });
  assert.equal(answer.status, 201, await answer.text());
}

/** The next mail that arrives. */
async function next() {
  const { value: [arrival] } = await arrived.next();
  return arrival;
}

/** The mails to an address in the inbox, waited for: the service shows one there when it has read that the server took it. */
async function kept(address) {
  for (let turn = 0; turn < 75; turn += 1) {
    const { data } = await (await fetch(`${dev.issuer}/dev/inbox.json`)).json();
    const mails = data.filter(({ to }) => to === address);
    if (mails.length > 0) return mails;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return [];
}

test('a mail arrives as text and as HTML from the configured sender, and its link leads here', async () => {
  await invite('zoe.mueller@example.com', 'Zoë Müller');
  const { mail, envelope, user } = await next();
  assert.equal(user, relay.username);
  assert.deepEqual(envelope.rcptTo.map(({ address }) => address), ['zoe.mueller@example.com']);
  assert.equal(envelope.mailFrom.address, 'no-reply@example.com');
  assert.equal(mail.from.value[0].address, 'no-reply@example.com');
  assert.ok(mail.subject.length > 0 && mail.messageId && mail.date, JSON.stringify(mail.headerLines));
  const [link] = mail.text.match(/http\S+\/auth\/\S+/);
  assert.ok(link.startsWith(dev.issuer), link);
  assert.ok(mail.html.replaceAll('&amp;', '&').includes(link), 'the same link in the HTML');
  assert.equal((await fetch(link)).status, 200);
});

test('a mail that the server could not take comes again, as the same mail', async () => {
  refusals = 1;
  await invite('grace@example.com', 'Grace Hopper');
  const { mail } = await next();
  assert.equal(mail.to.value[0].address, 'grace@example.com');
  assert.equal((await kept('grace@example.com')).length, 1);
});
