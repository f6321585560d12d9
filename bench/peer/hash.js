// The CPU milliseconds of one password hash with the peer's library, at the cost that both servers use.
import { hashSync } from '@node-rs/argon2';

const ROUNDS = 20;
const cost = { algorithm: 2, memoryCost: 65536, timeCost: 2, parallelism: 1 };
hashSync('correct horse battery staple', cost);
const before = process.cpuUsage();
for (let round = 0; round < ROUNDS; round += 1) hashSync('correct horse battery staple', cost);
const used = process.cpuUsage(before);
console.log((used.user + used.system) / 1000 / ROUNDS);
