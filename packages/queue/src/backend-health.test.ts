// Risk: an outage of the queue floods the log, or is not logged.
import { createLogger } from '@finhook/runtime';
import { expect, test } from 'vitest';
import { createBackendHealth } from './backend-health.ts';

function setup() {
  const lines: { msg: string; suppressed?: number; err?: { message: string } }[] = [];
  let ms = 0;
  const logger = createLogger({
    level: 'info',
    name: 'test',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const health = createBackendHealth(logger, () => ms);
  return {
    health,
    lines,
    messages: () => lines.map(({ msg }) => msg),
    advance: (by: number) => {
      ms += by;
    },
  };
}

test('says once that it is connected, away, and back', () => {
  const { health, messages } = setup();
  for (const step of [health.up, health.up]) step();
  for (let count = 0; count < 100; count += 1) health.down(new Error('refused'));
  for (const step of [health.up, health.up]) step();
  expect(messages()).toEqual(['the queue is connected', 'the queue is away: trying again', 'the queue is back']);
});

test('repeats a lasting outage every ten seconds, with the number of errors left out', () => {
  const { health, lines, advance } = setup();
  health.down(new Error('refused'));
  for (let count = 0; count < 250; count += 1) {
    advance(100);
    health.down(new Error('refused'));
  }
  expect(lines).toHaveLength(3);
  expect(lines.map(({ suppressed }) => suppressed)).toEqual([0, 99, 99]);
});

test('a flapping backend is logged once in ten seconds, and its last state', () => {
  const { health, messages, advance } = setup();
  for (let count = 0; count < 110; count += 1) {
    health.down(new Error('READONLY'));
    advance(100);
    health.up();
    advance(100);
  }
  const [away, back] = ['the queue is away: trying again', 'the queue is back'];
  expect(messages()).toEqual([away, back, away, back, away, back]);
  health.down(new Error('refused'));
  expect([health.isUp(), messages().at(-1)]).toEqual([false, back]);
  advance(9_000);
  health.down(new Error('refused'));
  expect(messages().at(-1)).toBe(away);
  health.up();
  expect([health.isUp(), messages().at(-1)]).toEqual([true, back]);
});

test('one that is slow is up, and says so; one that was not up is away', () => {
  const { health, messages } = setup();
  const states = () => [health.isUp(), health.isSlow(), health.isAway()];
  health.slow(new Error('late'));
  expect(states()).toEqual([false, false, true]);
  health.up();
  let outages = 0;
  health.onOutage(() => (outages += 1));
  health.slow(new Error('late'));
  expect([...states(), outages]).toEqual([true, true, false, 1]);
  health.down(new Error('refused'));
  expect([...states(), outages]).toEqual([false, false, true, 2]);
  const slow = 'the queue is slow: workers look for deliveries by themselves';
  expect(messages()).toEqual(['the queue is away: trying again', 'the queue is back', slow]);
  health.up();
  expect(messages().at(-1)).toBe('the queue is back');
});

test('whenUp waits for the backend after each outage', async () => {
  const { health } = setup();
  let ups = 0;
  const wait = () => health.whenUp().then(() => (ups += 1));
  const first = wait();
  await Promise.resolve();
  expect(ups).toBe(0);
  health.up();
  await first;
  health.down(new Error('refused'));
  const second = wait();
  await Promise.resolve();
  expect([ups, health.isUp()]).toEqual([1, false]);
  health.up();
  await second;
  expect(ups).toBe(2);
});

test('is silent once it is closed, and masks what errors say', () => {
  const { health, lines } = setup();
  health.down(new Error('no route to redis://u:hunter2@cache'));
  expect(lines[0]?.err?.message).toBe('no route to redis://[masked]@cache');
  health.close();
  health.up();
  health.down(new Error('refused'));
  health.warn(new Error('odd'));
  expect(lines).toHaveLength(1);
});

test('a wake-up that a newer one replaced is not reported as an error', () => {
  const { health, messages } = setup();
  health.warn(Object.assign(new Error('Missing key for job 565. moveToFinished'), { code: -1 }));
  expect(messages()).toEqual([]);
  health.warn(Object.assign(new Error('Missing lock for job 565. moveToFinished'), { code: -2 }));
  expect(messages()).toEqual(['the queue reported an error']);
});
