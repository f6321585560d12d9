// Backchannel requests for unknown people are like those for known ones, in what is answered and in how long that takes.
//
// Both kinds are asked in random order, so that whatever else the machine does falls on both alike. Of ten thousand runs
// less than one tells them apart where there is nothing to be told.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { dev } from './demo.js';
import { areToldApart, leastChance } from './ranks.js';

const CIBA = 'urn:openid:params:grant-type:ciba';
const KNOWN = 'admin@demo.example';
/** As many as an application may send for one hint within a minute. */
const OF_EACH = 30;
const APPLICATIONS = 7;
/** More rounds sharpen the eye; none begins later than this, in milliseconds. */
const [MOST_ROUNDS, LATEST] = [4, 8_000];
const STEPS = { start: [200, undefined], poll: [400, 'authorization_pending'] };
const connection = new Agent({ keepAlive: true, maxSockets: 1 });

describe('backchannel requests for unknown people', { concurrency: 1 }, () => {
  const asked = [];
  const of = (kind) => asked.filter((one) => one.kind === kind);

  before(async () => {
    const until = performance.now() + LATEST;
    for (let round = 0; round < MOST_ROUNDS && performance.now() < until; round += 1) {
      asked.push(...(await askedInOneRound()));
      if (Object.keys(STEPS).every((step) => isSeen(1.2, times(asked, step)))) break;
    }
  });

  after(() => connection.destroy());

  for (const [step, [status, error]] of Object.entries(STEPS)) {
    test(`${step}: every answer has the same members, header fields and lengths`, () => {
      const sample = comparable(of('known')[0][step]);
      assert.equal(sample.status, status);
      assert.equal(new Map(sample.members).get('error'), error);
      for (const answer of asked) assert.deepEqual(comparable(answer[step]), sample);
    });

    test(`${step}: the times are of one distribution`, (t) => {
      const [known, unknown] = ['known', 'unknown'].map((kind) => times(of(kind), step));
      assert.ok(known.length >= 200 && unknown.length === known.length);
      t.diagnostic(`${described(known)} and ${described(unknown)}; p = ${leastChance(known, unknown).toFixed(3)}`);
      t.diagnostic(`a fifth more ${isSeen(1.2, times(asked, step)) ? 'is' : 'is not'} seen among ${asked.length}`);
      assert.equal(areToldApart(known, unknown), false);
      assert.ok(isSeen(2.5, times(asked, step)), 'the comparison sees nothing at all');
    });
  }
});

/** Asks for a known person and for unknown ones as often as may be, in random order, and polls each request. */
async function askedInOneRound() {
  const rounds = [];
  for (let n = 0; n < APPLICATIONS; n += 1) {
    const application = await registered();
    for (const [kind, hint] of [['known', KNOWN], ['unknown', `nobo${n}@demo.example`]]) {
      rounds.push(...Array(OF_EACH).fill({ kind, hint, application }));
    }
  }
  const answers = [];
  for (const { kind, hint, application } of shuffled(rounds)) {
    const start = await post('/bc-authorize', application, { scope: 'openid', login_hint: hint, requested_expiry: '60' });
    const { auth_req_id } = JSON.parse(start.body);
    const poll = await post('/oauth/token', application, { grant_type: CIBA, auth_req_id });
    answers.push({ kind, start, poll });
  }
  return answers;
}

function times(answers, step) {
  return answers.map(({ [step]: { took } }) => took);
}

/** Whether a difference planted into one half of these times would be seen; which half is of unknown people is not asked. */
function isSeen(factor, sample) {
  const [one, other] = [0, 1].map((rest) => sample.filter((_, n) => n % 2 === rest));
  return areToldApart(one, other.map((took) => took * factor));
}

/** An answer but for what is random or of the moment. */
function comparable({ status, headers, body }) {
  const { date, 'x-request-id': id, ...rest } = headers;
  const members = Object.entries(JSON.parse(body)).map(([name, value]) =>
    ['auth_req_id', 'request_id', 'instance'].includes(name) ? [name, String(value).length] : [name, value],
  );
  return { status, headers: { ...rest, date: date.length, 'x-request-id': id.length }, members, length: body.length };
}

async function registered() {
  const metadata = { client_name: 'Asks often', grant_types: [CIBA], scope: 'openid' };
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${dev.issuer}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) });
  const { client_id, client_secret } = await reply.json();
  return `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
}

/** One request on the one connection, and the time from its first byte to the last of the answer. */
function post(path, authorization, parameters) {
  const body = new URLSearchParams(parameters).toString();
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request(`${dev.issuer}${path}`, { method: 'POST', agent: connection, headers }, async (reply) => {
      let text = '';
      for await (const chunk of reply.setEncoding('utf8')) text += chunk;
      resolve({ status: reply.statusCode, headers: reply.headers, body: text, took: performance.now() - started });
    });
    sent.on('error', reject).end(body);
  });
}

function shuffled(list) {
  const result = [...list];
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [result[at], result[other]] = [result[other], result[at]];
  }
  return result;
}

function described(sample) {
  const sorted = [...sample].sort((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(share * sorted.length)].toFixed(2)).join('/');
}
