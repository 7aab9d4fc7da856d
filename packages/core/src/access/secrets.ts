import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** AES-256-GCM. The authenticated `aad` (table and row id) prevents swapping ciphertexts. */
export interface Secrets {
  encrypt(plain: string, aad: string): string;
  decrypt(sealed: string, aad: string): string;
  isReadable(sealed: string): boolean;
  readonly currentPrefix: string;
  /** Ids of the configured keys. Each ciphertext starts with the id of its key. */
  readonly keyIds: readonly string[];
  /** Peppers for hashes of API keys, one per configured key, current first. */
  readonly peppers: readonly Buffer[];
}

const VERSION = 'v1';

interface MasterKey {
  id: string;
  key: Buffer;
}

function parseMasterKey(text: string): MasterKey {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error('SECRETS_KEY must be 32 bytes in base64 (openssl rand -base64 32).');
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

/** `keys`: base64 keys of 32 bytes, comma-separated. The first encrypts, all decrypt. */
export function createSecrets(keys: string): Secrets {
  const masters = keys.split(',').map((text) => parseMasterKey(text.trim()));
  const [current] = masters;
  if (!current) throw new Error('SECRETS_KEY is empty.');
  const currentPrefix = `${VERSION}.${current.id}.`;
  const masterOf = (sealed: string): MasterKey | undefined => {
    const [version, keyId] = sealed.split('.');
    return version === VERSION ? masters.find(({ id }) => id === keyId) : undefined;
  };
  return {
    currentPrefix,
    keyIds: masters.map(({ id }) => id),
    isReadable: (sealed) => masterOf(sealed) !== undefined,
    peppers: masters.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', 'finhook api key pepper', 32))),
    encrypt(plain, aad) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(aad));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${currentPrefix}${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
    },
    decrypt(sealed, aad) {
      const master = masterOf(sealed);
      if (!master) throw new Error('A stored secret was encrypted with a key that is not configured.');
      const [, , nonce = '', body = ''] = sealed.split('.');
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', master.key, Buffer.from(nonce, 'base64url'))
        .setAAD(Buffer.from(aad))
        .setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
    },
  };
}
