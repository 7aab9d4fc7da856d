import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/** Addresses (none: the name has no such record), or a server failure. */
type Answer = readonly string[] | 'failure';

export interface DnsRecords {
  readonly a?: Answer;
  readonly aaaa?: Answer;
}

interface DnsServer extends AsyncDisposable {
  readonly address: string;
  /** For example `A example.com`. */
  readonly questions: readonly string[];
}

const noName = 3;
const serverFailure = 2;
const typeA = 1;

/**
 * A name server on 127.0.0.1 (UDP, RFC 1035) for A and AAAA questions, with a TTL of 0. A name with several records
 * returns them in turn, separately for A and AAAA, and repeats the last. Other names do not exist.
 */
export async function startDnsServer(
  zone: Readonly<Record<string, DnsRecords | readonly DnsRecords[]>>,
): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const { name, end, isA } = readQuestion(query);
    const question = `${isA ? 'A' : 'AAAA'} ${name}`;
    const turns = [zone[name] ?? []].flat();
    const turn = questions.filter((asked) => asked === question).length;
    questions.push(question);
    const records = turns[Math.min(turn, turns.length - 1)];
    const answer = records === undefined ? undefined : ((isA ? records.a : records.aaaa) ?? []);
    socket.send(reply(query.subarray(0, end), answer, isA), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), isA: query.readUInt16BE(at + 1) === typeA, end: at + 5 };
}

// RFC 1035 section 4: header, the question as received, then one record per address that points at its name.
function reply(headerAndQuestion: Buffer, answer: Answer | undefined, isA: boolean): Buffer {
  const addresses = answer === undefined || answer === 'failure' ? [] : answer;
  const code = answer === undefined ? noName : answer === 'failure' ? serverFailure : 0;
  const head = Buffer.from(headerAndQuestion);
  head.writeUInt16BE(0x8180 + code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const bytes = isA ? address.split('.').map(Number) : bytesOfV6(address);
    return Buffer.from([0xc0, 12, 0, isA ? typeA : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
  });
  return Buffer.concat([head, ...records]);
}

/** The bytes of an IPv6 address without an embedded dotted quad. */
function bytesOfV6(address: string): number[] {
  if (!isIPv6(address) || address.includes('.')) throw new Error(`${address} is no IPv6 address in groups.`);
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [groups(left), groups(right)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]);
}
