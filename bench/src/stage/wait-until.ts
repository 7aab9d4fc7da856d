import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 100;

/** Resolves as soon as the condition holds. @throws Error that names it when it does not within `withinMs`. */
export async function waitUntil(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s in vain until ${what}.`);
    await delay(pollMs);
  }
}
