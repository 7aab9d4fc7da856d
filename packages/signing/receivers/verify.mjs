// Verifies x-service-signature. Each line of the input has four fields, separated by tabs:
// current unix time, secret, value of the header, path of a file with the raw body. Prints valid or invalid.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

function verify(now, secret, header, body) {
  const [t, signature] = header.split(',').map((part) => part.slice(part.indexOf('=') + 1));
  const expected = Buffer.from(createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) && now - Number(t) <= 300;
}

for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  const [now, secret, header, path] = line.split('\t');
  console.log(verify(Number(now), secret, header, readFileSync(path)) ? 'valid' : 'invalid');
}
