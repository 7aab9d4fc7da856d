/** Decodes standard base64 with its padding; undefined for anything that is not the one canonical spelling (RFC 4648). */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node skips what it can't read; encoding again shows whether it had to.
  return bytes.toString('base64') === text ? bytes : undefined;
}
