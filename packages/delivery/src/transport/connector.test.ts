// Risk: a socket is opened to a forbidden address although the URL looked right, or no socket although one is possible.
import { isIP, type Socket } from 'node:net';
import { hostileUrls } from '@finhook/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startFull, startTcp } from '../../test/loopback-server.ts';
import { BlockedAddressError, isPublicAddress } from '../ssrf/resolve-host.ts';
import { type ConnectorOptions, createConnector } from './connector.ts';

const noLookup = async (hostname: string): Promise<never> => {
  throw new Error(`asked for ${hostname}`);
};

async function connect(hostname: string, port: number, options: Partial<ConnectorOptions>): Promise<Error | Socket> {
  const connector = createConnector({
    isAllowed: isPublicAddress,
    lookup: noLookup,
    connectTimeoutMs: 1000,
    ...options,
  });
  return new Promise((resolve) => {
    connector({ hostname, protocol: 'http:', port: String(port) }, (error, socket) =>
      resolve(socket ?? error ?? new Error('no socket')),
    );
  });
}

const literals = hostileUrls.flatMap(([url]) => {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(host) === 0 || isPublicAddress(host) ? [] : [[url, host] as const];
});

test.each(literals)('no socket is opened for %s, nor for a name with its address %s', async (_url, host) => {
  expect(await connect(host, 443, {})).toBeInstanceOf(BlockedAddressError);
  const lookup = async () => ['8.8.8.8', host];
  expect(await connect('rebind.example.com', 443, { lookup })).toBeInstanceOf(BlockedAddressError);
});

test('forty and more hostile literals were tried at the socket', () => {
  expect(literals.length).toBeGreaterThanOrEqual(40);
});

test('the socket goes to the address that was checked and the name is resolved once', async () => {
  await using server = await startTcp(() => undefined);
  const asked: string[] = [];
  const lookup = async (name: string) => {
    asked.push(name);
    return ['127.0.0.1'];
  };
  const socket = await connect('pinned.example.com', server.port, { lookup, isAllowed: (ip) => ip === '127.0.0.1' });
  if (socket instanceof Error) throw socket;
  onTestFinished(() => void socket.destroy());
  expect(socket.remoteAddress).toBe('127.0.0.1');
  expect(asked).toEqual(['pinned.example.com']);
});

test('a connected socket whose peer is not allowed is destroyed', async () => {
  await using server = await startTcp(() => undefined);
  const responses = [true, false];
  const result = await connect('flips.example.com', server.port, {
    lookup: async () => ['127.0.0.1'],
    isAllowed: () => responses.shift() ?? false,
  });
  expect(result).toBeInstanceOf(BlockedAddressError);
  await server.allClosed();
});

test('a name without addresses is a DNS error, not a hang', async () => {
  expect(await connect('empty.example.com', 443, { lookup: async () => [] })).toMatchObject({ code: 'ENODATA' });
});

test.each(['http:', 'https:'])(
  '%s waits for a slow handshake though the name has another address',
  async (protocol) => {
    await using server = await startFull();
    const steps: string[] = [];
    const connector = createConnector({
      isAllowed: () => true,
      lookup: async () => ['127.0.0.1', '127.0.0.2'],
      connectTimeoutMs: 5_000,
    });
    await new Promise<void>((resolve) => {
      connector(
        { hostname: 'slow.example.com', protocol, port: String(server.port) },
        (_error, socket) => {
          socket?.destroy();
          resolve();
        },
        (step) => {
          steps.push(step);
          if (step === 'dns') setImmediate(server.accept);
        },
      );
    });
    expect(steps).toContain('connect');
  },
);

test('several addresses that nothing leads to end with connect_timeout', async () => {
  await using server = await startFull('0.0.0.0');
  const lookup = async () => ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
  const result = await connect('away.example.com', server.port, {
    lookup,
    isAllowed: () => true,
    connectTimeoutMs: 100,
  });
  expect(result).toMatchObject({ code: 'connect_timeout' });
});
