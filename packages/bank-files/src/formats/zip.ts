import { BankFileError, quote } from '../errors.ts';
import type { Step } from '../step.ts';

export interface ZipEntry {
  name: string;
  at: number;
  packed: number;
  crc: number;
  /** 0 is stored, 8 is deflated. */
  method: number;
  isEncrypted: boolean;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_SIZE = 22;
/** A comment of up to 64 KiB may follow the end record. */
const MAX_COMMENT = 0xffff;
/** Marks a value in a ZIP64 record. */
const ZIP64 = 0xffffffff;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

/** @throws {BankFileError} for a truncated, damaged or multi-part archive */
export function entriesOf(bytes: Uint8Array<ArrayBuffer>, step: Step): ZipEntry[] {
  const view = viewOf(bytes);
  const end = endOfDirectory(bytes, view, step);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === ZIP64) throw new BankFileError('the ZIP archive is a ZIP64 archive, which is not read: unpack it first');
  const entries: ZipEntry[] = [];
  while (entries.length < count) {
    step(1);
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL_HEADER) throw damaged('its directory');
    const flags = view.getUint16(at + 8, true);
    const length = view.getUint16(at + 28, true);
    // Names are UTF-8, or ASCII in most archives without that flag.
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    step(length);
    entries.push({
      name,
      at: view.getUint32(at + 42, true),
      packed: view.getUint32(at + 20, true),
      crc: view.getUint32(at + 16, true),
      method: view.getUint16(at + 10, true),
      isEncrypted: (flags & 1) === 1,
    });
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function endOfDirectory(bytes: Uint8Array, view: DataView, step: Step): number {
  for (let at = bytes.length - END_SIZE; at >= Math.max(0, bytes.length - END_SIZE - MAX_COMMENT); at--) {
    step(1);
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  throw damaged('its directory');
}

function damaged(what: string): BankFileError {
  return new BankFileError(`the ZIP archive is cut or damaged at ${what}: download it again`);
}

/**
 * @throws {BankFileError} for a damaged or encrypted entry, or more than `most` bytes: the archive's size is not
 * trusted
 */
export async function readEntry(
  bytes: Uint8Array<ArrayBuffer>,
  entry: ZipEntry,
  most: number,
  step: Step,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = quote(entry.name);
  if (entry.isEncrypted) throw new BankFileError(`${name} in the ZIP archive is encrypted: unpack it first`);
  if (entry.method !== 0 && entry.method !== 8) {
    throw new BankFileError(
      `${name} in the ZIP archive is packed with method ${entry.method}, not deflate: unpack it first`,
    );
  }
  const view = viewOf(bytes);
  if (entry.at + 30 > bytes.length || view.getUint32(entry.at, true) !== LOCAL_HEADER) throw damaged(name);
  const start = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
  if (start + entry.packed > bytes.length) throw damaged(name);
  const packed = bytes.subarray(start, start + entry.packed);
  const tooLarge = new BankFileError('the files of the ZIP archive are larger than 64 MiB: split it');
  if (entry.method === 0 && packed.length > most) throw tooLarge;
  const content = entry.method === 0 ? packed : await inflate(packed, most, step);
  if (content === 'too large') throw tooLarge;
  if (content === 'damaged' || crcOf(content, step) !== entry.crc) throw damaged(name);
  return content;
}

async function inflate(
  packed: Uint8Array<ArrayBuffer>,
  most: number,
  step: Step,
): Promise<Uint8Array<ArrayBuffer> | 'too large' | 'damaged'> {
  const unpacked: ReadableStream<Uint8Array<ArrayBuffer>> = new Blob([packed])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = unpacked.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      step(next.value.length);
      size += next.value.length;
      if (size > most) {
        await reader.cancel();
        return 'too large';
      }
      chunks.push(next.value);
    }
  } catch (error) {
    if (error instanceof TypeError) return 'damaged';
    throw error;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** CRC-32 of ISO 3309. */
function crcOf(bytes: Uint8Array, step: Step): number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
  step(bytes.length);
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
