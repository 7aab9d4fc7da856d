import type { Target } from '@finhook/core';

/**
 * Whether requests to an endpoint are made and bounded as they were, and what they tell is of the same endpoint: all is
 * compared but what its answers change. Ciphertexts stand for what is stored encrypted.
 */
export function isSentAlike(a: Target, b: Target): boolean {
  return partsOf(a) === partsOf(b);
}

function partsOf({ flow, ...target }: Target): string {
  const bounds = [flow?.gated === true, flow?.maxConcurrency];
  return JSON.stringify({ ...target, failing: undefined, lastSuccessAt: undefined, bounds });
}
