/** `<id>.<t>.<body>`, the bytes that Standard Webhooks 1.0.0 signs, in one piece: Ed25519 cannot be fed in parts. */
export function standardContent(id: string, timestamp: number, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
}
