// Risk: a recovery starts at the wrong hour, because of the browser's time zone or a clock change.
import { timeZone } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { instantOf, localOf, offeredZone } from './zoned-time.ts';

test.each([
  ['2026-03-01T09:30', 'UTC', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30', 'America/New_York', '2026-03-01T14:30:00.000Z'],
  ['2026-07-01T09:30', 'America/New_York', '2026-07-01T13:30:00.000Z'],
  ['2026-03-01T09:30:15', 'Asia/Kolkata', '2026-03-01T04:00:15.000Z'],
  ['2026-03-01T00:30', 'Pacific/Kiritimati', '2026-02-28T10:30:00.000Z'],
  // Clocks go from 02:00 to 03:00: this time does not exist.
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  // Clocks go back from 02:00 to 01:00: this time comes twice.
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-11-01T02:30', 'America/New_York', '2026-11-01T07:30:00.000Z'],
  ['', 'UTC', undefined],
  ['2026-03-01', 'UTC', undefined],
])('%s in %s is %s', (local, zone, instant) => expect(instantOf(local, zone)).toBe(instant));

test.each(['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Europe/Berlin'])('%s: there and back', (zone) => {
  for (let hour = 0; hour < 24 * 365; hour += 31) {
    const iso = new Date(Date.UTC(2026, 0, 1, hour, 0)).toISOString();
    const local = localOf(iso, zone);
    expect(localOf(instantOf(local, zone) ?? '', zone)).toBe(local);
  }
});

test('a zone is offered only by a name that the service takes', () => {
  expect(offeredZone('Europe/Brussels')).toBe('Europe/Brussels');
  for (const zone of ['CET', 'IST', 'EST5EDT', 'Japan', ...Intl.supportedValuesOf('timeZone')])
    expect(timeZone.safeParse(offeredZone(zone)).success, zone).toBe(true);
});
