import { AnswerError, BankFileError, type Place } from './errors.ts';

/** Deadline of one call, the start of the worker included. */
export const READ_TIMEOUT_MS = 60_000;

export class ReadTimeout extends Error {
  readonly seconds: number;

  constructor(timeoutMs: number) {
    super(`The file was not read within ${timeoutMs / 1000} s.`);
    this.name = 'ReadTimeout';
    this.seconds = timeoutMs / 1000;
  }
}

export type WorkerFunctions = Readonly<Record<string, (input: never) => unknown>>;

interface Question {
  id: number;
  name: string;
  input: never;
}

/** Position and reason of a `BankFileError`, or the message of another error. */
interface ErrorParts {
  name?: string;
  reason: string;
  place?: Place;
}

type Answer = { id: number } & ({ result: unknown } | { error: ErrorParts });

export interface StartedWorker {
  post: (message: unknown) => void;
  /** An idle worker has no pending call and may end by itself. */
  end: (isIdle: boolean) => void;
}

export interface WorkerEvents {
  onMessage: (message: unknown) => void;
  /** The worker has ended, or will not respond. */
  onFailure: (error: Error) => void;
}

function asAnswer(message: unknown): Answer {
  return message as Answer;
}

function asQuestion(message: unknown): Question {
  return message as Question;
}

function asResult<F extends (input: never) => unknown>(result: unknown): Awaited<ReturnType<F>> {
  return result as Awaited<ReturnType<F>>;
}

/** Calls functions in a worker, which is terminated at the deadline; the next call starts another. */
export class ReadingWorker<F extends WorkerFunctions> {
  readonly #start: (events: WorkerEvents) => StartedWorker;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: StartedWorker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;

  constructor(start: (events: WorkerEvents) => StartedWorker, timeoutMs: number = READ_TIMEOUT_MS) {
    this.#start = start;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws {BankFileError} as the function does @throws {ReadTimeout} at the deadline */
  async call<K extends keyof F & string>(name: K, input: Parameters<F[K]>[0]): Promise<Awaited<ReturnType<F[K]>>> {
    this.#worker ??= this.#startOne();
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(++this.#last, answer);
    if (this.#waiting.size === 1) this.#watch();
    this.#worker.post({ id: this.#last, name, input });
    return asResult<F[K]>(await answer.promise);
  }

  /** Terminates the worker and rejects pending calls with the reason. */
  close(reason: Error): void {
    clearTimeout(this.#timer);
    this.#worker?.end(this.#waiting.size === 0);
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  #startOne(): StartedWorker {
    // Ignores messages of a terminated worker.
    const ifCurrent = (act: () => void): void => {
      if (this.#worker === started) act();
    };
    const started: StartedWorker = this.#start({
      onMessage: (message) => ifCurrent(() => this.#settle(asAnswer(message))),
      onFailure: (error) => ifCurrent(() => this.close(error)),
    });
    return started;
  }

  #settle(answer: Answer): void {
    const call = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    this.#watch();
    if ('result' in answer) call?.resolve(answer.result);
    else call?.reject(errorOf(answer.error));
  }

  /** Calls run one after the other: the deadline of the next begins when one has returned. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.close(new ReadTimeout(this.#timeoutMs)), this.#timeoutMs);
  }
}

function errorOf({ name, reason, place }: ErrorParts): Error {
  if (name === 'AnswerError') return new AnswerError(reason);
  return place === undefined ? new Error(reason) : new BankFileError(reason, place);
}

export function createListener(
  functions: WorkerFunctions,
  post: (answer: unknown) => void,
): (message: unknown) => void {
  const known = new Map(Object.entries(functions));
  const respond = async (message: unknown): Promise<void> => {
    const { id, name, input } = asQuestion(message);
    try {
      post({ id, result: await known.get(name)?.(input) } satisfies Answer);
    } catch (error) {
      post({ id, error: partsOf(error) } satisfies Answer);
    }
  };
  return (message) => void respond(message);
}

function partsOf(error: unknown): ErrorParts {
  if (error instanceof BankFileError) return { reason: error.reason, place: error.place };
  return error instanceof Error ? { name: error.name, reason: error.message } : { reason: String(error) };
}
