// Risk: a page looks live and is not, or shows old figures after the stream was cut.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveFeed } from './live-feed.ts';

class Stream extends EventTarget {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 2;
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
  }
  close(): void {
    this.readyState = this.CLOSED;
  }
  say(type: string, data = '{}', lastEventId = ''): void {
    this.dispatchEvent(new MessageEvent(type, { data, lastEventId }));
  }
  fail(forGood: boolean): void {
    this.readyState = forGood ? this.CLOSED : this.CONNECTING;
    this.dispatchEvent(new Event('error'));
  }
}

function asEventSource(stream: unknown): EventSource {
  return stream as EventSource;
}

const change = (...types: string[]): string => JSON.stringify({ events: types.map((type) => ({ id: 'evt', type })) });

function openFeed(isSignedIn: () => Promise<boolean> = async () => true) {
  const streams: Stream[] = [];
  const changes: string[][] = [];
  const calls = { gaps: 0, signedOut: 0 };
  const feed = createLiveFeed({
    onChange: (types) => void changes.push([...types]),
    onGap: () => void calls.gaps++,
    onSignedOut: () => void calls.signedOut++,
    isSignedIn,
    connect(url) {
      const stream = new Stream(url);
      streams.push(stream);
      return asEventSource(stream);
    },
  });
  const close = feed.open();
  const last = (): Stream => {
    const stream = streams.at(-1);
    if (!stream) throw new Error('No stream was opened.');
    return stream;
  };
  return { feed, close, streams, changes, calls, last };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a page goes on with the stream that was begun before it was drawn, and closes it', () => {
  const { feed, close, streams } = openFeed();
  close();
  feed.begin();
  feed.begin();
  const end = feed.open();
  expect(streams).toHaveLength(2);
  end();
  expect(streams.every(({ readyState, CLOSED }) => readyState === CLOSED)).toBe(true);
  feed.open();
  expect(streams).toHaveLength(3);
});

test('the first event is reported at once, and a burst after it together', () => {
  const { last, changes } = openFeed();
  last().say('ready', '{}', 'c0');
  last().say('change', change('a'), 'c1');
  last().say('change', change('b', 'c'), 'c2');
  last().say('change', change('b'), 'c3');
  expect(changes).toEqual([['a']]);
  vi.advanceTimersByTime(250);
  expect(changes).toEqual([['a'], ['b', 'c']]);
});

test('a page waits briefly for its stream, so that it does not load twice', () => {
  const { last, calls, feed } = openFeed();
  expect(feed.state()).toBe('opening');
  last().say('ready', '{}', 'c0');
  last().fail(false);
  last().say('ready', '{}', 'c0');
  expect(calls.gaps).toBe(0);
});

test('data that loaded before a late stream was open is refetched once', () => {
  const { last, calls, feed } = openFeed();
  vi.advanceTimersByTime(500);
  expect(feed.state()).toBe('disconnected');
  last().say('ready', '{}', 'c0');
  last().say('ready', '{}', 'c0');
  expect(calls.gaps).toBe(1);
});

test('a response that is not a stream is followed by a reconnect at the same position', async () => {
  const { last, streams, feed } = openFeed();
  last().say('ready', '{}', 'c0');
  last().say('change', change('a'), 'c+1');
  last().fail(true);
  expect(feed.state()).toBe('disconnected');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(streams).toHaveLength(2);
  expect(last().url).toBe('/dashboard/stream?after=c%2B1');
  last().say('ready', '{}', 'c+1');
  expect(feed.state()).toBe('live');
});

test('a service that does not respond is retried; an unknown session ends the stream', async () => {
  const responses = [() => Promise.reject(new TypeError('no response')), () => Promise.resolve(false)];
  const { last, streams, calls } = openFeed(() => responses.shift()?.() ?? Promise.resolve(true));
  last().fail(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(streams).toHaveLength(2);
  last().fail(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(streams).toHaveLength(2);
  expect(calls.signedOut).toBe(1);
});

test('a stream without pings for 8 s reconnects at the same position; one that pings stays open', async () => {
  const { last, streams, feed } = openFeed();
  last().say('ready', '{}', 'c0');
  for (let i = 0; i < 5; i++) {
    await vi.advanceTimersByTimeAsync(3_000);
    last().say('ping', '{}', i === 4 ? 'c1' : '');
  }
  await vi.advanceTimersByTimeAsync(7_000);
  expect([feed.state(), streams.length]).toEqual(['live', 1]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([feed.state(), streams.length, streams[0]?.readyState]).toEqual(['disconnected', 2, 2]);
  expect(last().url).toBe('/dashboard/stream?after=c1');
  last().say('ready', '{}', 'c1');
  expect(feed.state()).toBe('live');
});

test('a position that is no longer in the feed is a gap', () => {
  const { last, calls } = openFeed();
  last().say('ready', '{}', 'c0');
  last().say('reset');
  expect(calls.gaps).toBe(1);
});

test('the stream ends with the session', async () => {
  const { last, streams, calls, feed } = openFeed();
  last().say('ready', '{}', 'c0');
  last().say('end', '{"reason":"signed_out"}');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(streams).toHaveLength(1);
  expect(calls.signedOut).toBe(1);
  expect(feed.state()).toBe('disconnected');
});

test('a closed feed does not reconnect', async () => {
  const { close, last, streams } = openFeed();
  last().fail(true);
  close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(streams).toHaveLength(1);
});
