const encoder = new TextEncoder();

/** Hexadecimal. */
export async function sha256(data: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', typeof data === 'string' ? encoder.encode(data) : data);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
