// Risk: log lines are not machine-readable, or a secret passes the mask through a child logger or a message.
import { expect, test } from 'vitest';
import { createLogger, type LogLevel } from './logger.ts';

function setup(level: LogLevel = 'info') {
  const raw: string[] = [];
  const logger = createLogger({ level, name: 'api', destination: { write: (line) => void raw.push(line) } });
  return { logger, raw, lines: () => raw.map((line) => JSON.parse(line)) };
}

test('each line is one JSON object with level, time, name, fields and message', () => {
  const { logger, raw, lines } = setup();
  logger.info({ request_id: 'req_1', status: 201 }, 'answered\nin two lines');
  expect(raw).toHaveLength(1);
  expect(raw[0]?.trimEnd()).not.toContain('\n');
  const [line] = lines();
  expect(line).toMatchObject({
    level: 'info',
    name: 'api',
    request_id: 'req_1',
    status: 201,
    msg: 'answered\nin two lines',
  });
  expect(new Date(line.time).toISOString()).toBe(line.time);
});

test('each line of a cell has its name, and without a cell there is no such field', () => {
  const written = (cell: string | undefined): unknown => {
    const raw: string[] = [];
    const destination = { write: (line: string) => void raw.push(line) };
    createLogger({ level: 'info', name: 'api', cell, destination }).child({ part: 'x' }).info({}, 'a');
    return JSON.parse(raw.join(''));
  };
  expect(written('eu')).toMatchObject({ name: 'api', cell: 'eu', part: 'x' });
  expect(written(undefined)).not.toHaveProperty('cell');
});

test('lines below the level are not written', () => {
  const { logger, lines } = setup('warn');
  logger.debug({}, 'a');
  logger.info({}, 'b');
  logger.warn({}, 'c');
  logger.error({}, 'd');
  expect(lines().map(({ msg }) => msg)).toEqual(['c', 'd']);
  const silent = setup('silent');
  silent.logger.error({}, 'e');
  expect(silent.raw).toEqual([]);
});

test('a child adds its fields to each line', () => {
  const { logger, lines } = setup();
  logger.child({ account_id: 'acct_1' }).child({ request_id: 'req_1' }).warn({ status: 500 }, 'failed');
  expect(lines()[0]).toMatchObject({ account_id: 'acct_1', request_id: 'req_1', status: 500 });
});

test('secrets reach no line, through fields, messages, errors, stacks or children', () => {
  const { logger, raw } = setup();
  const canary = 'sk_live_CANARY0123';
  const err = new Error(`refused ${canary}`, { cause: new Error('whsec_CANARY') });
  logger.error({ err, headers: { authorization: 'CANARY' }, note: `key=${canary}` }, `caller sent ${canary}`);
  logger.child({ secret: 'CANARY', hint: canary }).info({ nested: [{ api_key: 'CANARY' }] }, 'child');
  expect(raw).toHaveLength(2);
  expect(raw.join('')).not.toContain('CANARY');
  expect(raw[0]).toContain('refused sk_live_[masked]');
});

test('an error shows its type, message and stack', () => {
  const { logger, lines } = setup();
  logger.error({ err: new TypeError('no such row') }, 'failed');
  expect(lines()[0].err).toMatchObject({ type: 'TypeError', message: 'no such row' });
  expect(lines()[0].err.stack).toContain('logger.test.ts');
});
