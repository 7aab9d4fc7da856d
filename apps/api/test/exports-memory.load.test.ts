// Risk: an export of a large account takes the api's memory, and every other request with it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';
import { type ApiProcess, startApiProcess } from './api-process.ts';
import { openStream } from './open-stream.ts';
import { seedTransactions } from './seed-transactions.ts';

const ROWS = 200_000;
const CHARACTERS = 1_000;
const SAMPLE_BYTES = 10_000_000;
const MEGABYTE = 1_000_000;
/** Memory for garbage of the runtime; the export is twice as large. */
const MOST_GROWTH = 150 * MEGABYTE;

const fixture = useApi();
let api: ApiProcess;

beforeAll(async () => {
  api = await startApiProcess(fixture.databaseUrl);
});
afterAll(() => api.stop());

test(`${ROWS} rows go through an api process whose memory does not follow them`, async () => {
  const company = await seedTransactions(fixture, { name: 'Large', count: ROWS, characters: CHARACTERS });
  const idle = api.memory();
  const url = `${api.url}/api/v1/companies/${company}/bank/transactions?format=csv`;
  const { response } = await openStream(url, fixture.apiKey);
  let bytes = 0;
  let lines = 0;
  let most = idle;
  let sampled = 0;
  for await (const chunk of response) {
    const text: Buffer = chunk;
    bytes += text.length;
    for (const byte of text) if (byte === 10) lines++;
    if (bytes - sampled < SAMPLE_BYTES) continue;
    sampled = bytes;
    most = Math.max(most, api.memory());
  }
  expect(response.complete).toBe(true);
  expect(lines).toBe(ROWS + 1);
  expect(bytes).toBeGreaterThan(ROWS * CHARACTERS);
  expect(most - idle).toBeLessThan(MOST_GROWTH);
}, 300_000);
