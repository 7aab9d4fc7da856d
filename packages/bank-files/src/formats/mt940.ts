import { BankFileError } from '../errors.ts';
import {
  addStatement,
  newReading,
  type RawBalance,
  type RawStatement,
  type RawTransaction,
  type Reading,
  report,
  reportUnreadable,
} from '../statement.ts';
import { assertLines } from './decode.ts';
import { describe } from './mt940-details.ts';
import { fieldsOf, type Mt940Field } from './mt940-fields.ts';
import { readBalance, readLine } from './mt940-values.ts';
import type { Reader } from './reader.ts';

interface OpenStatement {
  line: number;
  account: string;
  /** Starts with the opening balance, which has the currency. `left out` if that is obsolete. */
  into?: RawStatement | 'left out';
  current?: RawTransaction | undefined;
}

/** Reads SWIFT MT940; parsers on npm are outdated and return floats. References in field 61 are often not unique. */
export const readMt940: Reader = (text, _input, step) => {
  assertLines(text, step);
  const reading = newReading();
  let open: OpenStatement | undefined;
  for (const field of fieldsOf(text, step)) {
    step(field.lines.reduce((sum, line) => sum + line.length, 1));
    if (field.tag === '20' && open) throw notClosed(open);
    if (field.tag === '20' || (field.tag.startsWith('25') && !open)) open = { line: field.line, account: '' };
    if (open && !readField(reading, open, field)) open = undefined;
  }
  if (open) throw notClosed(open);
  if (reading.statements.length === 0 && reading.problems.length === 0) {
    throw new BankFileError('the file has no statement: a field :20: and its balances');
  }
  return { readings: [reading], questions: [] };
};

function notClosed({ line }: OpenStatement): BankFileError {
  return new BankFileError('the statement has no closing balance (:62F:): the file is truncated', { line, column: 1 });
}

/** Returns false if the field ends the open statement. */
function readField(reading: Reading, open: OpenStatement, field: Mt940Field): boolean {
  const { tag, line, lines } = field;
  const [first = ''] = lines;
  switch (tag) {
    case '25':
    case '25P':
      open.account = first.trim();
      break;
    case '60F':
    case '60M':
      if (open.into) throw notClosed(open);
      open.into = readOpening(reading, open, field);
      break;
    case '61': {
      const statement = statementOf(open, field);
      if (statement === 'left out') break;
      const row = readLine(lines, statement.currency, line);
      open.current = 'value' in row ? row.value : undefined;
      if ('value' in row) statement.rows.push(row.value);
      else reportUnreadable(reading, statement, { line }, `the line is left out: ${row.error}`);
      break;
    }
    case '86':
      if (open.current) Object.assign(open.current, describe(lines, open.current.description));
      open.current = undefined;
      break;
    case '62F':
    case '62M':
      readClosing(reading, statementOf(open, field), field);
      return false;
    default:
  }
  return true;
}

function statementOf({ into }: OpenStatement, field: Mt940Field): RawStatement | 'left out' {
  if (!into) throw fail(field, 'stands before the opening balance (:60F:)');
  return into;
}

function fail({ tag, line }: Mt940Field, error: string): BankFileError {
  return new BankFileError(`:${tag}: ${error}`, { line, column: 1 });
}

function readOpening(
  reading: Reading,
  { account, line: start }: OpenStatement,
  field: Mt940Field,
): RawStatement | 'left out' {
  const { line, lines } = field;
  const found = readBalance(lines[0] ?? '');
  if ('error' in found) throw fail(field, found.error);
  const { currency } = found.value;
  if ('error' in currency) {
    const message = `the statement of ${account || 'the account'} is left out: ${currency.error}`;
    report(reading, { line }, 'account', message);
    return 'left out';
  }
  // Some banks write no day here.
  const opening: RawBalance = { line, day: found.value.day ?? '', cents: found.value.cents, currency: currency.value };
  return addStatement(reading, {
    line: start,
    account,
    currency: currency.value,
    isOwnCurrency: true,
    opening,
  });
}

function readClosing(reading: Reading, statement: RawStatement | 'left out', field: Mt940Field): void {
  const { tag, line, lines } = field;
  if (statement === 'left out') return;
  const found = readBalance(lines[0] ?? '');
  if ('error' in found) throw fail(field, found.error);
  const { day, cents, currency } = found.value;
  if ('error' in currency) throw fail(field, currency.error);
  if (currency.value !== statement.currency) {
    const message = `the balance is left out: it is in ${currency.value}, and the opening balance in ${statement.currency}`;
    report(reading, { line }, 'balance', message);
    return;
  }
  statement.closing = { line, day: day ?? '', cents, currency: currency.value };
  if (tag === '62M') return;
  if (day === undefined) report(reading, { line }, 'balance', 'the balance is left out: its day does not exist');
  else statement.ends.push(statement.closing);
}
