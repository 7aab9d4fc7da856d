import { generateKeyPairSync, sign } from 'node:crypto';

/** PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const day = 86_400_000;

/**
 * Makes a self-signed certificate for `localhost` and `address`, valid for two days (X.509 v3, RFC 5280; ECDSA on P-256
 * with SHA-256).
 */
export function makeCertificate(address: readonly number[] = [127, 0, 0, 1]): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from('localhost')))));
  const validity = sequence(time(Date.now() - day), time(Date.now() + day));
  const altNames = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from(address)));
  const extensions = sequence(
    sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.of(0xff))))),
    sequence(oid('551d11'), der(0x04, altNames)),
  );
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]));
  const base64 = sequence(body, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Encodes a value by the Distinguished Encoding Rules (X.690). */
function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Uint8Array[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.of(value));
}

function time(ms: number): Buffer {
  return der(0x18, Buffer.from(new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')));
}
