// Text forms of keys, without Node: receivers may have only WebCrypto.

/** Decodes canonical, padded base64 (RFC 4648); undefined for anything else. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text);
    // `atob` also accepts spaces and missing padding.
    return btoa(binary) === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

const secretPrefix = 'whsec_';
const publicKeyPrefix = 'whpk_';
const publicKeyBytes = 32;

/** The bytes of `whsec_<base64 of 24 to 64 bytes>`; undefined for anything else. */
export function decodeSecret(secret: string): Uint8Array<ArrayBuffer> | undefined {
  // JavaScript callers pass undefined when their configuration is missing.
  if (typeof secret !== 'string' || !secret.startsWith(secretPrefix)) return undefined;
  const bytes = decodeBase64(secret.slice(secretPrefix.length));
  return bytes === undefined || bytes.length < 24 || bytes.length > 64 ? undefined : bytes;
}

/** The bytes of `whpk_<base64 of 32 bytes>` (Standard Webhooks 1.0.0); undefined for anything else. */
export function decodePublicKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string' || !text.startsWith(publicKeyPrefix)) return undefined;
  const bytes = decodeBase64(text.slice(publicKeyPrefix.length));
  return bytes?.length === publicKeyBytes ? bytes : undefined;
}

/** Printable ASCII without a full stop, which would make `<id>.<t>.<body>` ambiguous. */
export const webhookIdPattern = /^[\x21-\x2d\x2f-\x7e]{1,255}$/;
