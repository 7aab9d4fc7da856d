import type { Move } from '../accounts/move/move-state.ts';

export interface Copy {
  account_id: string;
  state: Move['state'] | null;
  cell: string | null;
  begun_at: string | null;
  /** The number of changes. A move keeps it, so a later copy has a larger one. */
  audit_position: string;
  /** False after `account:move --delete`. */
  has_rows: boolean;
}

interface Copies {
  cell: string;
  own: Copy | undefined;
  peers: ReadonlyMap<string, Copy>;
  peerNames: readonly string[];
  /** The restored cell's copy may be closed even if it has changes that the open one lacks. */
  mayClose: boolean;
}

export type Decision =
  | { kind: 'keep' }
  /** `home` has the account; callers get its name. With `reopen`, the copy there opens again. */
  | { kind: 'close'; home: string; reopen: boolean }
  /** Ends the move: the copy here is complete, and its source has closed. */
  | { kind: 'finish' }
  | { kind: 'problem'; text: string };

const keep: Decision = { kind: 'keep' };
const isOpen = ({ state }: Copy): boolean => state === null || !['moved', 'arriving'].includes(state);
const changesOf = (copy: Copy): bigint => BigInt(copy.audit_position);
const newestOf = (copies: [string, Copy][]): [string, Copy] | undefined =>
  copies.toSorted(([, a], [, b]) => Number(changesOf(b) - changesOf(a)))[0];

/** The other cells are current, so an open copy there is the account. Otherwise the copy with the most changes is the newest. */
export function decideHome({ cell, own, peers, peerNames, mayClose }: Copies): Decision {
  const all = [...peers];
  const moved = all.filter(([, copy]) => copy.state === 'moved');
  const takesOver = (name: string, { state, begun_at }: Copy): boolean =>
    state === 'arriving' && moved.some(([, from]) => from.cell === name && from.begun_at === begun_at);
  const homes = all.filter(([name, copy]) => isOpen(copy) || takesOver(name, copy));
  const [open] = homes;
  if (homes.length > 1) {
    const names = homes.map(([name]) => name).join(' and ');
    return problem(`it is open in ${names}. Was one of them restored? Run the command there first`);
  }
  const isNamed = moved.some(([, copy]) => copy.cell === cell);
  // Without the cell that has it now, a second copy would open.
  const next = own?.state === 'moved' ? own.cell : null;
  if (next !== null && !peerNames.includes(next))
    return problem(`it has moved to the cell ${next}. Name that one too, with --peer`);
  if (open !== undefined) return besideOpen(open, { cell, own, isNamed, mayClose });

  const arrived = newestOf(all.filter(([, copy]) => copy.state === 'arriving'));
  // The state restored here is from before the move ended. The move can't continue, so the copy with more changes opens again.
  if (own !== undefined && isOpen(own) && arrived !== undefined && changesOf(arrived[1]) > changesOf(own))
    return { kind: 'close', home: arrived[0], reopen: true };

  const [, unnamed] = moved.find(([, copy]) => copy.cell !== cell && !peerNames.includes(copy.cell ?? '')) ?? [];
  if (unnamed !== undefined) return problem(`it has moved to the cell ${unnamed.cell}. Name that one too, with --peer`);
  const newest = newestOf(moved);
  if (newest === undefined) return own?.state === 'moved' ? withoutHome(own, peers) : keep;
  return besideMoved(newest, { own, isNamed });
}

const problem = (text: string): Decision => ({ kind: 'problem', text });

interface Restored {
  own: Copy | undefined;
  /** A peer sends callers here. */
  isNamed: boolean;
}

function besideOpen(
  [home, there]: [string, Copy],
  { cell, own, isNamed, mayClose }: Restored & { cell: string; mayClose: boolean },
): Decision {
  // It was here between two moves. Without a copy, this cell can't redirect callers.
  if (own === undefined) return isNamed ? { kind: 'close', home, reopen: false } : keep;
  if (own.state === 'arriving') {
    // Only this move needs the copy. That of an ended move must not open if the move is run again.
    const isMove = there.state === 'frozen' && there.cell === cell && there.begun_at === own.begun_at;
    return isMove ? keep : { kind: 'close', home, reopen: false };
  }
  if (own.state === 'moved') return own.cell === home ? keep : { kind: 'close', home, reopen: false };
  if (changesOf(own) > changesOf(there) && !mayClose) {
    return problem(
      `it is open here and in ${home}, and this copy has ${changesOf(own) - changesOf(there)} changes more. If this cell is ` +
        'the one that was restored, close this copy with --close and post its last changes again; otherwise run the command there',
    );
  }
  return { kind: 'close', home, reopen: false };
}

/** If the target has the copy, `account:move` continues the move. */
const withoutHome = ({ cell }: Copy, peers: ReadonlyMap<string, Copy>): Decision =>
  cell !== null && peers.has(cell)
    ? keep
    : problem(`it has moved to the cell ${cell}, which lacks it. Run the command in that cell, and then here`);

function besideMoved([name, copy]: [string, Copy], { own, isNamed }: Restored): Decision {
  if (own === undefined && !isNamed) return keep;
  if (own !== undefined && isOpen(own) && changesOf(own) >= changesOf(copy)) return keep;
  if (own?.state === 'arriving' && own.begun_at === copy.begun_at) return { kind: 'finish' };
  if (!copy.has_rows) {
    return problem(
      `it had moved here from ${name}, where account:move --delete has deleted the copy. Restore a later state of this cell`,
    );
  }
  return { kind: 'close', home: name, reopen: true };
}
