import type { Page } from 'playwright-core';

interface Problem {
  code: string;
  status: number;
  detail: string;
  retryable: boolean;
}

interface FailingRead {
  /** How often the page has got the problem. */
  failures: () => number;
  /** From now on the read succeeds. */
  mend: () => void;
}

/** From now on the page gets this problem for the procedure, alone or in a batch, whose other reads succeed. */
export async function failRead(page: Page, procedure: string, problem: Problem): Promise<FailingRead> {
  const error = { message: problem.detail, code: -32603, data: { problem } };
  let isBroken = true;
  let failures = 0;
  await page.route('**/trpc/**', async (route) => {
    const names = new URL(route.request().url()).pathname.split('/').at(-1)?.split(',') ?? [];
    if (!isBroken || !names.includes(procedure)) return route.fallback();
    if (names.length === 1) await route.fulfill({ status: problem.status, json: { error } });
    else {
      const results: readonly unknown[] = await (await route.fetch()).json();
      await route.fulfill({
        status: 207,
        json: results.map((result, i) => (names[i] === procedure ? { error } : result)),
      });
    }
    failures += 1;
    return undefined;
  });
  return { failures: () => failures, mend: () => void (isBroken = false) };
}
