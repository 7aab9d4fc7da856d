// Risk: settings exclude a connection other than the named one, or lose one when they are saved.
import { expect, test } from 'vitest';
import { categoriesIn, idsIn } from './figure-settings.view.ts';

const data = new FormData();
data.set('lines', ' escrow \r\n\r\nPayroll\n');

test('ids of connections stay as they are, spaces included; empty lines are none', () => {
  expect(idsIn(data, 'lines')).toEqual([' escrow ', 'Payroll']);
  expect(idsIn(data, 'missing')).toEqual([]);
});

test('categories lose the spaces around them', () => {
  expect(categoriesIn(data, 'lines')).toEqual(['escrow', 'Payroll']);
});
