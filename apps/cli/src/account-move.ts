import { hostname, userInfo } from 'node:os';
import {
  type CopiedRows,
  cancelMove,
  deleteMovedAccount,
  type MoveStatus,
  type MoveStep,
  moveAccount,
  readMoveStatusOfSource,
} from '@finhook/core';
import type { EnvSource } from '@finhook/runtime';
import { cellNameRule, isCellName } from './cell-name.ts';
import { ExpectedError, explainMoveError, type Program, readOptions, runProgram } from './command.ts';
import { readLocalEnv } from './env.ts';
import { printJson } from './terminal.ts';

const usage =
  'account:move --account acct_… --to-database-url postgresql://… --to-cell <name> [--cancel], or account:move --account acct_… --delete | --status';
const options = {
  account: { type: 'string' },
  'to-database-url': { type: 'string' },
  'to-cell': { type: 'string' },
  cancel: { type: 'boolean', default: false },
  delete: { type: 'boolean', default: false },
  status: { type: 'boolean', default: false },
} as const;

const texts: Readonly<Record<MoveStep, string>> = {
  copying: 'the account is open; its rows are copied',
  draining: 'nothing is sent; waiting for deliveries in flight',
  frozen: 'changes are rejected',
  copied: 'the target has the same rows',
  moved: 'this cell names the target to callers',
  arrived: 'the target accepts changes',
};

const again = 'Run the same account:move in the old cell again';
const advice: Readonly<Record<MoveStatus['state'], string>> = {
  none: 'No move has begun.',
  copying: `The account works as before. ${again}, or with --cancel.`,
  draining: `Nothing is sent until the move has ended. ${again}, or with --cancel.`,
  frozen: `Changes are rejected until the move has ended. ${again}, or with --cancel.`,
  moved: 'The account has moved. If the target says arriving, run the same account:move here again.',
  arriving: `The account is closed here. ${again}.`,
};

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new Error(`${name} is missing`);
  return value;
}

function readUrl(text: string | undefined): string {
  const url = required('--to-database-url', text);
  if (!/^postgres(ql)?:\/\/./.test(url)) throw new Error('--to-database-url must begin with postgresql://');
  return url;
}

function readCell(text: string | undefined): string {
  const name = required('--to-cell', text);
  if (!isCellName(name)) throw new Error(`--to-cell is "${name}" instead of ${cellNameRule}`);
  return name;
}

function readSource(source: EnvSource | undefined): string {
  const { DATABASE_URL: url } = readLocalEnv(source);
  if (url === undefined) throw new ExpectedError("Set DATABASE_URL to that of the account's cell.");
  return url;
}

function report(step: MoveStep, rows: CopiedRows = {}): void {
  const count = Object.values(rows).reduce((sum, n) => sum + n, 0);
  printJson(JSON.stringify({ step, text: texts[step], ...(step === 'copied' ? { rows: count } : {}) }));
}

export const accountMove: Program = async (args, source) => {
  const input = readOptions(usage, options, args, (given) => ({
    accountId: required('--account', given.account),
    deletes: given.delete,
    cancels: given.cancel,
    asks: given.status,
    toUrl: given.delete || given.status ? '' : readUrl(given['to-database-url']),
    toCell: given.delete || given.status ? '' : readCell(given['to-cell']),
  }));
  try {
    return await move(input, readSource(source));
  } catch (error) {
    throw explainMoveError(error);
  }
};

interface Input {
  accountId: string;
  deletes: boolean;
  cancels: boolean;
  asks: boolean;
  toUrl: string;
  toCell: string;
}

async function move({ accountId, toUrl, toCell, ...input }: Input, fromUrl: string): Promise<object | undefined> {
  if (input.asks) {
    const status = await readMoveStatusOfSource({ accountId, fromUrl });
    const text = status.running_since === null ? advice[status.state] : 'An account:move is running.';
    return { ...status, text };
  }
  if (input.deletes) return { deleted: await deleteMovedAccount({ accountId, fromUrl }) };
  if (input.cancels) {
    await cancelMove({ accountId, fromUrl, toUrl, toCell });
    return { cancelled: true };
  }
  const begunBy = `${userInfo().username}@${hostname()}, pid ${process.pid}`;
  await moveAccount({ accountId, fromUrl, toUrl, toCell, begunBy, onStep: report });
  return undefined;
}

if (import.meta.main) await runProgram(accountMove);
