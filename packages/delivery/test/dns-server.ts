import { createSocket } from 'node:dgram';
import { once } from 'node:events';

type Answer = { readonly a?: readonly string[]; readonly aaaa?: 'empty' | 'failure'; readonly missing?: boolean };

/** A name server on 127.0.0.1 (UDP) that knows the given names, for A and AAAA questions. */
export async function startDns(zone: Readonly<Record<string, Answer>>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => socket.send(answer(query, zone), peer.port, peer.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

// RFC 1035 section 4: header, the question as it came, then one record per address.
function answer(query: Buffer, zone: Readonly<Record<string, Answer>>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  const isA = query.readUInt16BE(at + 1) === 1;
  const entry = zone[labels.join('.').toLowerCase()] ?? { missing: true };
  const addresses = isA ? (entry.a ?? []) : [];
  const failed = !isA && entry.aaaa === 'failure';
  const header = Buffer.alloc(12);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8180 + (entry.missing === true ? 3 : failed ? 2 : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((ip) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...ip.split('.').map(Number)]),
  );
  return Buffer.concat([header, query.subarray(12, at + 5), ...records]);
}
