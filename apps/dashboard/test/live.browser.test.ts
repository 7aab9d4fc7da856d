// Risk: a founder sees yesterday's cash, or loses a figure when the connection breaks for a moment.
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { navigate, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, postBalance, postTransactions, requestWire } from './records.ts';

const dash = setUpDashboard();

const post = (cents: number) => postBalance(dash.api, dash.company_id, cents);

test('the cash tile shows a posted balance with no reload, and announces it; after a time offline it catches up', async () => {
  await post(1_000_00);
  const page = await dash.open('/');
  const tile = page.getByRole('region', { name: 'Cash on hand' });
  await tile.getByText('$1,000.00').first().waitFor();
  const loads = () => page.evaluate(() => performance.getEntriesByType('navigation').length);
  const before = await loads();
  for (const [cents, text] of [
    [-5_00, '-$5.00'],
    [9_007_199_254_740_99, '$9,007,199,254,740.99'],
  ] as const) {
    await post(cents);
    await tile.getByText(text, { exact: true }).waitFor();
    await expect.poll(() => tile.getByRole('status').textContent()).toBe(`Cash on hand: ${text}`);
  }
  expect(dash.errors(page)).toEqual([]);

  await page.context().setOffline(true);
  await post(77_00);
  await page.context().setOffline(false);
  await tile.getByText('$77.00', { exact: true }).waitFor();
  expect(await loads()).toBe(before);
});

test("changes without an event appear automatically: another person's decision, and a new case", async () => {
  const wire = await requestWire(dash.api, dash.company_id);
  const [wires, cases] = [await dash.open('/approvals'), await dash.open('/cases')];
  await wires.getByRole('link', { name: 'Landlord' }).waitFor();
  await cases.getByText('No cases yet').waitFor();
  const key = await dash.createPerson('Second person');
  await dash.api('POST', `/bank/approvals/${wire.id}/decision`, { decision: 'approve' }, key);
  await dash.api('POST', `/companies/${dash.company_id}/cases`, { title: 'A missing receipt' });
  await wires.getByText('Nothing waits for approval').waitFor();
  await cases.getByRole('link', { name: 'A missing receipt' }).waitFor();
  expect([...dash.errors(wires), ...dash.errors(cases)]).toEqual([]);
});

/** A proxy between browser and service. While it is frozen, connections stay open without traffic. */
async function startRelay(target: URL) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const ends = [client, upstream];
    for (const socket of ends) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        for (const end of ends) end.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
    if (isFrozen) for (const socket of ends) socket.pause();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.');
  return {
    url: `http://127.0.0.1:${address.port}${target.pathname}`,
    freeze(frozen: boolean): void {
      isFrozen = frozen;
      for (const socket of sockets) {
        if (frozen) socket.pause();
        else socket.resume();
      }
    },
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a service that hangs is reported within seconds, and a submit says that it waits', async () => {
  const relay = await startRelay(new URL(dash.dashboard_url));
  onTestFinished(() => relay.close());
  const page = await dash.page({ isolated: true });
  await page.clock.install();
  await page.goto(`${relay.url}/cases?company=${dash.company_id}`);
  await page.getByRole('button', { name: 'Create case' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('While it stands still');
  await page.getByText('Connected', { exact: true }).waitFor();
  relay.freeze(true);
  await dialog.getByRole('button', { name: 'Create case' }).click();
  await page.clock.fastForward(10_000);
  await dialog.getByText('Still waiting for the service…').waitFor();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  relay.freeze(false);
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.getByText('While it stands still').first().waitFor();
  const { data } = await dash.api('GET', `/companies/${dash.company_id}/cases`);
  expect(data.filter(({ title }: { title: string }) => title === 'While it stands still')).toHaveLength(1);
});

test('a filter is applied shortly after typing ends, even while rows arrive', async () => {
  const agent = await dash.api('POST', '/agents', { name: 'Busy', provider: 'example', company_id: dash.company_id });
  const page = await dash.open(`/agents/${agent.id}?tab=actions`);
  await page.getByText('No actions yet').waitFor();
  let isBusy = true;
  const log = async (type: string): Promise<void> => {
    const input = { company_id: dash.company_id, type };
    while (isBusy) await dash.api('POST', `/agents/${agent.id}/actions`, input);
  };
  const logged = Promise.all([log('call.place'), log('email.send')]);
  onTestFinished(async () => {
    isBusy = false;
    await logged;
  });
  await page.getByRole('cell', { name: 'call.place' }).first().waitFor();
  await page.getByLabel('Type', { exact: true }).fill('email.send');
  await expect.poll(() => new URL(page.url()).searchParams.get('type')).toBe('email.send');
  await expect.poll(() => page.getByRole('cell', { name: 'call.place' }).count()).toBe(0);
  expect(dash.errors(page)).toEqual([]);
});

test('stored text of every kind is shown as text and never runs', async () => {
  const hostile = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">';
  const row = { description: hostile, counterparty: hostile, category: hostile, connection_id: hostile };
  await postTransactions(dash.api, dash.company_id, row);
  const page = await dash.open('/transactions');
  await page.getByText(hostile).first().waitFor();
  expect(await page.title()).not.toContain('owned');
  expect(dash.errors(page)).toEqual([]);
});

test('new rows do not move the rows of a reader further down; they are counted, and a button shows them', async () => {
  const id = await createCompany(dash.api, 'Reader');
  const rowOf = (minute: number) => ({
    external_id: `row-${minute}`,
    posted_at: new Date(Date.now() - (1_000 - minute) * 60_000).toISOString(),
    description: `Row ${minute}`,
  });
  const add = (...rows: number[]) => postTransactions(dash.api, id, ...rows.map(rowOf));
  await add(...Array.from({ length: 150 }, (_, i) => i + 1));
  const page = await dash.open('/transactions', { company: id });
  const frame = page.getByRole('group', { name: 'Transactions', exact: true });
  await frame.evaluate((element) => element.scrollTo({ top: 1_200 }));
  const read = frame.getByRole('link', { name: 'Row 120', exact: true });
  await read.waitFor();
  const before = await read.boundingBox();
  await add(201, 202);
  await add(203);
  const news = page.getByRole('button', { name: '3 new' });
  await news.waitFor();
  expect(await read.boundingBox()).toEqual(before);
  await news.click();
  await expect.poll(() => frame.evaluate((element) => element.scrollTop)).toBe(0);
  await frame.getByRole('link', { name: 'Row 203', exact: true }).waitFor();
  await news.waitFor({ state: 'detached' });
  // At the top, new rows appear automatically.
  await add(204);
  await frame.getByRole('link', { name: 'Row 204', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /new$/ }).count()).toBe(0);
  // A list is at its top again after another filter.
  await frame.evaluate((element) => element.scrollTo({ top: 1_200 }));
  await add(205);
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await navigate(page, `/transactions?company=${id}&q=${encodeURIComponent('Row 15')}`);
  await frame.getByRole('link', { name: 'Row 204', exact: true }).waitFor({ state: 'detached' });
  await navigate(page, `/transactions?company=${id}`);
  await add(206);
  await frame.getByRole('link', { name: 'Row 206', exact: true }).waitFor();
  expect(dash.errors(page)).toEqual([]);
});
