// A name server with the TXT records that tests publish (RFC 1035 §4).
import { createSocket } from 'node:dgram';
import { after, before } from 'node:test';

/** Answers on the port that the service asks; the records are kept by name. */
export function withNames(port = Number(process.env.SVC_NAMES_PORT)) {
  const records = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answer(query, records), port, address));
  before(() => new Promise((resolve, reject) => socket.once('error', reject).bind(port, '127.0.0.1', resolve)));
  after(() => new Promise((resolve) => socket.close(resolve)));
  return records;
}

function answer(query, records) {
  const { name, end } = question(query);
  const text = records.get(name);
  const header = Buffer.from(query.subarray(0, 12));
  // A response, recursion available; without a record there is no such name.
  header.writeUInt16BE(text ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(text ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, query.subarray(12, end), text ? txt(text) : Buffer.alloc(0)]);
}

function question(query) {
  const labels = [];
  let at = 12;
  while (query[at] > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    at += query[at] + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** A record for the name of the question, of type TXT and class IN, to be kept for no time. */
function txt(text) {
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, text.length + 1, text.length]);
  return Buffer.concat([head, Buffer.from(text)]);
}
