// Risk: a date is shown in another format than it is typed, or one that can't be read is ignored in silence.
import { expect, test } from 'vitest';
import { settled, setUpDashboard } from './dashboard-fixture.ts';
import { day } from './records.ts';

const dash = setUpDashboard();

test('a filter takes a date as it is shown or as digits, says what it can’t read, and is cleared', async () => {
  const page = await dash.open('/logs');
  const from = page.getByLabel('From');
  const inAddress = () => new URL(page.url()).searchParams.get('from');
  await from.fill('3 feb 2024');
  await expect.poll(inAddress).toBe('2024-02-03');
  await from.fill('2024-02-04');
  await from.blur();
  await expect.poll(inAddress).toBe('2024-02-04');
  expect(await from.inputValue()).toBe('4 Feb 2024');

  await from.fill('02/05/2024');
  await from.blur();
  await page.getByText('Enter a date like 2026-11-26 or 26 Nov 2026.').waitFor();
  expect([await from.getAttribute('aria-invalid'), inAddress()]).toEqual(['true', '2024-02-04']);
  await from.fill('');
  await expect.poll(inAddress).toBe(null);
  await from.blur();
  expect(await from.getAttribute('aria-invalid')).toBe(null);

  const calendar = page.getByRole('button', { name: 'Open calendar' }).first();
  expect(
    await calendar.evaluate(
      (button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
    ),
  ).toBe('From');
  await calendar.click();
  // A press on a day of the browser's calendar sets the value in this way.
  await page.locator('input[type="date"]').first().fill('2024-03-01');
  await expect.poll(inAddress).toBe('2024-03-01');
  expect(await from.inputValue()).toBe('1 Mar 2024');
  await page.reload();
  await settled(page);
  expect(await from.inputValue()).toBe('1 Mar 2024');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => from.inputValue()).toBe('');

  // Clearing also takes the text that stands for no date, whether the field had one before or not.
  const fault = page.getByText('Enter a date like 2026-11-26 or 26 Nov 2026.');
  const clearUnread = async (): Promise<void> => {
    await from.fill('02/05/2024');
    await from.blur();
    await fault.waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => from.inputValue()).toBe('');
    expect(await fault.count()).toBe(0);
  };
  await from.fill('4 Feb 2024');
  await expect.poll(inAddress).toBe('2024-02-04');
  await clearUnread();
  await page.getByLabel('To', { exact: true }).fill('2024-02-04');
  await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  await clearUnread();
  // So does a link to the list without filters.
  await from.fill('4 Feb 2024');
  await expect.poll(inAddress).toBe('2024-02-04');
  await from.fill('02/05/2024');
  await page.getByRole('link', { name: 'Activity log' }).click();
  await expect.poll(() => from.inputValue()).toBe('');
  // A press that leaves the field is not lost, although the error would move the button.
  await page.getByLabel('To', { exact: true }).fill('2024-02-04');
  await from.fill('02/05/2024');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => from.inputValue()).toBe('');
  expect(dash.errors(page)).toEqual([]);
});

test('a form sends a date that exists and that it accepts', async () => {
  const filing = await dash.api('POST', `/companies/${dash.company_id}/filings`, {
    type: 'other',
    title: 'Annual report',
    due_date: day(-20),
  });
  const page = await dash.open(`/compliance?tab=filings&filing=${filing.id}`);
  const form = page.getByRole('dialog', { name: 'Annual report' });
  const submitted = form.getByLabel('Submitted on');
  const send = () => form.getByRole('button', { name: 'Mark as submitted' }).click();
  await submitted.fill('31 Feb 2026');
  await send();
  await form.getByText('Enter a date like 2026-11-26 or 26 Nov 2026.').waitFor();
  await submitted.fill(day(-3));
  await send();
  await form.getByText(/^Enter \d+ \w{3} \d{4} or earlier\.$/).waitFor();
  await submitted.fill('');
  await send();
  await form.getByText('This field is required.').waitFor();
  await submitted.fill(day(2));
  await send();
  await expect.poll(async () => (await dash.api('GET', `/filings/${filing.id}`)).submitted_at).toContain(day(2));
  expect(dash.errors(page)).toEqual([]);
});

test('a preset of a replay replaces what the fields show, also what they can’t read, and is what is sent', async () => {
  const { id } = await dash.api('POST', '/webhook-endpoints', { url: 'https://example.com/presets' });
  const page = await dash.open(`/settings/webhooks/${id}?tab=replays`);
  const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To (optional)')];
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const hoursAgo = (time: string | undefined): number => Math.round((Date.now() - Date.parse(time ?? '')) / 3_600_000);
  const shown = async (): Promise<string> => `${(await from.inputValue()).replace(',', '')} UTC`;
  await to.fill('no date');
  await press('Last 30 days');
  expect([hoursAgo(await shown()), await to.inputValue()]).toEqual([30 * 24, '']);
  await from.fill('no date');
  await from.blur();
  await press('Last 30 days');
  expect(hoursAgo(await shown())).toBe(30 * 24);
  // As pasted from a log.
  await from.fill('2026-11-26T16:33:20.123+02:00');
  await from.blur();
  expect(await from.inputValue()).toBe('26 Nov 2026, 14:33');
  await press('Last hour');
  expect(hoursAgo(await shown())).toBe(1);
  const request = page.waitForRequest('**/trpc/webhookEndpoints.replay');
  await press('Count events');
  const sent: { since: string; until?: string } = (await request).postDataJSON();
  expect([Date.parse(sent.since), sent.until]).toEqual([Date.parse(await shown()), undefined]);
  await page.getByText('Nothing to send: no missed events in this range.').waitFor();
  expect(Date.parse(await shown())).toBe(Date.parse(sent.since));
  expect(dash.errors(page)).toEqual([]);
});
