// Risk: some change to a delivery passes verification, because only a few changes were tested.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSigner } from './sign.ts';
import { verifyServiceSignature, verifyStandardWebhook } from './verify.ts';

const secret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const delivery = fc.record({
  secret,
  id: fc.stringMatching(/^evt_[0-9a-z]{26}$/),
  timestamp: fc.integer({ min: 0, max: 99_999_999_999 }),
  body: fc.uint8Array({ maxLength: 400 }),
});
const position = fc.nat();

interface Delivery {
  readonly secret: string;
  readonly id: string;
  readonly timestamp: number;
  readonly body: Uint8Array;
}

/** The received delivery and both verdicts on it; the clock is at the signing time by default. */
function received({ secret: key, id, timestamp, body }: Delivery) {
  const signer = createSigner(key);
  return {
    service: signer.service(timestamp, body),
    headers: { id, timestamp: String(timestamp), signature: signer.standard(id, timestamp, body) },
    body,
    secrets: [key],
    now: timestamp,
  };
}

function verdicts({ service, headers, ...rest }: ReturnType<typeof received>) {
  return Promise.all([
    verifyServiceSignature({ header: service, ...rest }),
    verifyStandardWebhook({ headers, ...rest }),
  ]);
}

function flipBit(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const index = Math.floor(at / 8) % copy.length;
  copy[index] = (copy[index] ?? 0) ^ (1 << (at % 8));
  return copy;
}

function flipTextBit(text: string, at: number): string {
  return Buffer.from(flipBit(Buffer.from(text, 'latin1'), at)).toString('latin1');
}

function replaceTail(text: string, head: string, change: (tail: string) => string): string {
  return head + change(text.slice(head.length));
}

describe('both schemes', () => {
  test('what was signed verifies, with the timestamp it was signed at', async () => {
    await fc.assert(
      fc.asyncProperty(delivery, async (one) => {
        const ok = { ok: true, timestamp: one.timestamp };
        expect(await verdicts(received(one))).toEqual([ok, ok]);
      }),
    );
  });

  test('any one bit of the body changed is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(delivery, position, async (one, at) => {
        fc.pre(one.body.length > 0);
        const wrong = { ok: false, reason: 'no_matching_signature' };
        expect(await verdicts({ ...received(one), body: flipBit(one.body, at) })).toEqual([wrong, wrong]);
      }),
    );
  });

  test('any one bit of t changed is rejected, whatever the receiver’s clock says', async () => {
    await fc.assert(
      fc.asyncProperty(delivery, position, async (one, at) => {
        const good = received(one);
        const t = flipTextBit(good.headers.timestamp, at);
        const service = replaceTail(good.service, 't=', (tail) => tail.replace(/^\d+/, () => t));
        const now = /^\d+$/.test(t) ? Number(t) : good.now;
        const results = await verdicts({ ...good, service, headers: { ...good.headers, timestamp: t }, now });
        expect(results.map(({ ok }) => ok)).toEqual([false, false]);
      }),
    );
  });

  test('any one bit of the signature changed is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(delivery, position, async (one, at) => {
        const good = received(one);
        const service = replaceTail(good.service, `t=${one.timestamp},v1=`, (tail) => flipTextBit(tail, at));
        const signature = replaceTail(good.headers.signature, 'v1,', (tail) => flipTextBit(tail, at));
        const results = await verdicts({ ...good, service, headers: { ...good.headers, signature } });
        expect(results.map(({ ok }) => ok)).toEqual([false, false]);
      }),
    );
  });

  test('any one bit of the secret changed is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(delivery, position, async (one, at) => {
        const bytes = Buffer.from(one.secret.slice('whsec_'.length), 'base64');
        const other = `whsec_${Buffer.from(flipBit(bytes, at)).toString('base64')}`;
        const wrong = { ok: false, reason: 'no_matching_signature' };
        expect(await verdicts({ ...received(one), secrets: [other] })).toEqual([wrong, wrong]);
      }),
    );
  });

  test('more than 300 s old is rejected, up to 300 s old is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(delivery, fc.double({ min: 0, max: 600, noNaN: true }), async (one, age) => {
        // Adding a tiny age to large seconds rounds it; compare the age that the receiver sees.
        const now = one.timestamp + age;
        const expected =
          now - one.timestamp > 300
            ? { ok: false, reason: 'timestamp_too_old' }
            : { ok: true, timestamp: one.timestamp };
        expect(await verdicts({ ...received(one), now })).toEqual([expected, expected]);
      }),
    );
  });

  test('any header text at all gives a verdict and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), secret, async (text, one) => {
        const headers = { id: text, timestamp: text, signature: text };
        const rest = { body: new Uint8Array(), secrets: [one], now: 0 };
        expect((await verifyServiceSignature({ header: text, ...rest })).ok).toBe(false);
        expect((await verifyStandardWebhook({ headers, ...rest })).ok).toBe(false);
      }),
    );
  });
});
