// Verifies x-service-signature as the interface describes. One line in: now, secret, header, path of the raw body.
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
