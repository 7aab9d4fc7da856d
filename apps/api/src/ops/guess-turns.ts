import { setTimeout as delay } from 'node:timers/promises';
import { addressGroup } from '../auth/rate-limits.ts';

const INTERVAL_MS = 1_000;
const MAX_WAITING = 20;
const MAX_COUNTED = 10_000;

interface GuessCount {
  readonly address: string;
  readonly rejected: number;
  /** Passwords not compared, because too many were waiting. */
  readonly unread: number;
}

/** One comparison per interval and address, in order, without a lockout. Each process counts for itself. */
export interface GuessTurns {
  hasRoom(ip: string): boolean;
  /** `full`: the queue was full. `gone`: the signal aborted. */
  take(ip: string, signal: AbortSignal): Promise<'turn' | 'full' | 'gone'>;
  count(ip: string, outcome: 'rejected' | 'unread'): GuessCount;
}

export function createGuessTurns(
  pause: () => Promise<unknown> = () => delay(INTERVAL_MS, undefined, { ref: false }),
): GuessTurns {
  const waiting = new Map<string, Set<() => void>>();
  const counts = new Map<string, { rejected: number; unread: number }>();

  async function serve(address: string, guesses: Set<() => void>): Promise<void> {
    await pause();
    for (let [next] = guesses; next !== undefined; [next] = guesses) {
      guesses.delete(next);
      next();
      await pause();
    }
    waiting.delete(address);
  }

  return {
    hasRoom: (ip) => (waiting.get(addressGroup(ip))?.size ?? 0) < MAX_WAITING,
    async take(ip, signal) {
      const address = addressGroup(ip);
      const guesses = waiting.get(address);
      if (guesses === undefined) {
        const none = new Set<() => void>();
        waiting.set(address, none);
        void serve(address, none);
        return 'turn';
      }
      if (guesses.size >= MAX_WAITING) return 'full';
      return new Promise((resolve) => {
        const take = () => resolve('turn');
        guesses.add(take);
        signal.addEventListener('abort', () => {
          guesses.delete(take);
          resolve('gone');
        });
      });
    },
    count(ip, outcome) {
      const address = addressGroup(ip);
      const count = counts.get(address) ?? { rejected: 0, unread: 0 };
      count[outcome]++;
      counts.delete(address);
      counts.set(address, count);
      const [oldest] = counts.keys();
      if (counts.size > MAX_COUNTED && oldest !== undefined) counts.delete(oldest);
      return { address, ...count };
    },
  };
}
