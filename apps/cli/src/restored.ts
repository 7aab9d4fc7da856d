import { type PeerCell, restoreCell } from '@finhook/core';
import { cellNameRule, isCellName } from './cell-name.ts';
import { ExpectedError, explainMoveError, type Program, readOptions, runProgram } from './command.ts';
import { readLocalEnv } from './env.ts';
import { withCore } from './with-core.ts';

const usage =
  'restored (--peer <cell>=postgresql://… [--peer …] | --no-peers) [--close acct_…] [--up-to-date], with the DATABASE_URL, ' +
  'SECRETS_KEY and CELL of the restored cell';
const options = {
  peer: { type: 'string', multiple: true },
  'no-peers': { type: 'boolean', default: false },
  close: { type: 'string', multiple: true },
  'up-to-date': { type: 'boolean', default: false },
} as const;

function readPeer(text: string): PeerCell {
  const at = text.indexOf('=');
  const [cell, url] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  // The text may contain a password.
  if (!isCellName(cell)) throw new Error(`a --peer does not begin with the name of a cell and "=", ${cellNameRule}`);
  if (!/^postgres(ql)?:\/\/./.test(url)) throw new Error(`the URL of the --peer ${cell} must begin with postgresql://`);
  return { cell, url };
}

function readPeers(texts: readonly string[], hasNone: boolean): PeerCell[] {
  const peers = texts.map(readPeer);
  const repeated = peers.find(({ cell }, i) => peers.findIndex((other) => other.cell === cell) !== i);
  if (repeated !== undefined) throw new Error(`the --peer ${repeated.cell} is given twice`);
  if (hasNone === peers.length > 0) {
    throw new Error('give either --no-peers or a --peer for every other cell that accounts have moved to or from');
  }
  return peers;
}

export const restored: Program = async (args, source) => {
  const input = readOptions(usage, options, args, (given) => ({
    peers: readPeers(given.peer ?? [], given['no-peers']),
    close: given.close ?? [],
    isCurrent: given['up-to-date'],
  }));
  const env = readLocalEnv(source);
  const { DATABASE_URL: url, CELL: cell = '' } = env;
  if (url === undefined) throw new ExpectedError('Set DATABASE_URL to that of the restored database.');
  if (input.peers.some((peer) => peer.cell === cell)) {
    throw new ExpectedError(`CELL is ${cell}, and so is a --peer. Set CELL to the name of the restored cell.`);
  }
  if (input.peers.length > 0 && cell === '') throw new ExpectedError('Set CELL to the name of the restored cell.');
  try {
    return await withCore(env, () => restoreCell({ ...input, cell, url }));
  } catch (error) {
    throw explainMoveError(error);
  }
};

if (import.meta.main) await runProgram(restored);
