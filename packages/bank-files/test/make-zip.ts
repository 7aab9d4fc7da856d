import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  name: string;
  content: string | Uint8Array;
  isStored?: boolean;
  isEncrypted?: boolean;
}

export function makeZip(files: readonly ZipFile[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, isEncrypted = false } of files) {
    const plain = Buffer.from(content);
    const packed = isStored ? plain : deflateRawSync(plain);
    // Flags, method, time, date, CRC-32, sizes, length of the name.
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(plain), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(plain.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = [Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, rest, Buffer.from(name));
    parts.push(...local);
    offset += Buffer.concat(local).length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return new Uint8Array(Buffer.concat([...parts, ...directory, Buffer.from('PK\u0005\u0006'), end]));
}
