// Answers the challenge of a form: finds a number with which the SHA-256 digest of the challenge begins with enough zero bits.

const K = new Uint32Array(64);
const START = new Uint32Array(8);

/** The constants of SHA-256 (FIPS 180-4): fractions of the square and cube roots of the first primes. */
function prepare() {
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
  for (let number = 2, count = 0; count < 64; number += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1) isPrime &&= number % divisor !== 0;
    if (!isPrime) continue;
    if (count < 8) START[count] = fraction(Math.sqrt(number));
    K[count] = fraction(Math.cbrt(number));
    count += 1;
  }
}

const words = new Uint32Array(64);

/** The first two words of the digest of a text of at most 55 ASCII characters, which is one block. */
function digest(text) {
  words.fill(0, 0, 16);
  for (let at = 0; at < text.length; at += 1) words[at >> 2] |= text.charCodeAt(at) << (24 - 8 * (at & 3));
  words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
  words[15] = 8 * text.length;
  for (let at = 16; at < 64; at += 1) {
    const early = words[at - 15];
    const late = words[at - 2];
    const small = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const large = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[at] = words[at - 16] + small + words[at - 7] + large;
  }
  let [a, b, c, d, e, f, g, h] = START;
  for (let at = 0; at < 64; at += 1) {
    const upper = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + upper + ((e & f) ^ (~e & g)) + K[at] + words[at]) | 0;
    const lower = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (lower + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [(START[0] + a) >>> 0, (START[1] + b) >>> 0];
}

function isEnough([first, second], bits) {
  const zeros = first === 0 ? 32 + Math.clz32(second) : Math.clz32(first);
  return zeros >= bits;
}

/** Works in short pieces, so that the page stays alive. */
async function solve(challenge) {
  const [salt, , bits] = challenge.split(".");
  for (let number = 0; ; ) {
    const pause = performance.now() + 12;
    do {
      for (const end = number + 256; number < end; number += 1) {
        if (isEnough(digest(`${salt}.${number}`), Number(bits))) return number;
      }
    } while (performance.now() < pause);
    await new Promise((resume) => setTimeout(resume));
  }
}

/** Fills the answer in, and lets the form go, which waits for it. */
async function answer(input) {
  const part = input.parentElement;
  const state = part.querySelector(".captcha-state");
  input.value = String(await solve(input.dataset.captcha));
  state.textContent = state.dataset.done;
  part.dispatchEvent(new Event("captcha-over", { bubbles: true }));
}

prepare();
document.querySelectorAll("[data-captcha]").forEach(answer);
