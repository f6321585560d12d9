// The clock of an example. Each SIGUSR2 puts it on by as much as access tokens of 15 minutes need until they are about to end; with the
// question for tokens it is right again, as the service's is. The line says that the clock was put on: a signal is taken some time later.
let ahead = 0;
const { fetch } = globalThis;
const { now } = Date;
Date.now = () => now() + ahead;
globalThis.fetch = (input, init) => {
  if (String(input?.url ?? input).endsWith('/oauth/token')) ahead = 0;
  return fetch(input, init);
};
process.on('SIGUSR2', () => {
  ahead += 880_000;
  process.stderr.write('the clock was put on\n');
});
