import type { Problem as ProblemDocument } from '@finhook/contracts';
import { plain } from '../clean-text.ts';
import { flagName } from './names.ts';
import { table } from './table.ts';

/** Documented in docs/command-line.md. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

/** The message is for the person at the terminal, with the action to take. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function usageFailure(message: string): Failure {
  return new Failure(message, exitCodes.usage);
}

/** Fields of a problem document that are shown; another server's response may lack them. */
export type Problem = Partial<
  Pick<ProblemDocument, 'title' | 'detail' | 'code' | 'request_id' | 'retryable' | 'errors'>
>;

function fieldOf(pointer: string): string {
  const [name = '', ...rest] = pointer.replace(/^\//, '').split('/');
  return name === '' ? 'The body' : [flagName(name), ...rest].join('/');
}

/** Fields of the document that the action names, such as `required`. */
function namedIn(action: string, problem: object): string[] {
  return [...action.matchAll(/`(\w+)`/g)].flatMap(([, name = '']) => {
    const value: unknown = Reflect.get(problem, name);
    const text = [value].flat().filter((each) => typeof each === 'string');
    return text.length === 0 || shown.has(name) ? [] : [`${name}: ${text.join(', ')}`];
  });
}

const shown = new Set(['detail', 'request_id']);

export class Rejected extends Failure {
  readonly status: number;
  readonly problem: Problem;
  readonly retryAfter: number | undefined;

  constructor(status: number, problem: Problem, retryAfter?: number) {
    const action = problem.code === undefined ? undefined : table.actions[problem.code];
    const lines = [
      problem.title ?? `The service returned ${status}`,
      // The detail repeats the first error.
      problem.errors ? undefined : problem.detail,
      ...(problem.errors ?? []).map(({ pointer, message }) => `${fieldOf(pointer)}: ${message}`),
      ...(action === undefined ? [] : namedIn(action, problem)),
      action && `What to do: ${action.replace(' in `errors`', ' above').replaceAll('`', '')}`,
      status === 401 ? 'Which key is used: finhook doctor. Another one: finhook login.' : undefined,
      problem.request_id && `Request: ${problem.request_id}${problem.code === undefined ? '' : ` (${problem.code})`}`,
    ];
    super(lines.flatMap((line) => (line ? [plain(line)] : [])).join('\n  '));
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get isTemporary(): boolean {
    return this.problem.retryable ?? this.status >= 500;
  }
}

export class Unreachable extends Failure {
  constructor(message: string) {
    super(message, exitCodes.unreachable);
  }
}
