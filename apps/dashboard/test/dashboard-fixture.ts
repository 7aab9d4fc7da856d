import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { runProgram, type ServiceInfo } from './start-finhook.ts';

const shots = fileURLToPath(new URL('../../../test-results/screenshots/', import.meta.url));

interface PageOptions {
  theme?: 'light' | 'dark';
  /** Viewport width in CSS px. */
  width?: number;
  /** Signs in with this key instead of the first one; null skips the sign-in. */
  key?: string | null;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON, whose shape each test knows
export type Answer = any;

export interface Dashboard extends ServiceInfo {
  account_id: string;
  /** Calls the REST API (with the first key by default) and returns the parsed response; throws on an error status. */
  api: (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>;
  /** A new browser context, signed in, with a blank page. */
  page: (options?: PageOptions) => Promise<Page>;
  /** The page's problems so far: exceptions, console errors, failed requests, CSP violations. */
  errors: (page: Page) => readonly string[];
  screenshot: (page: Page, name: string, options?: { fullPage: boolean }) => Promise<void>;
  /** Runs a program of apps/cli on the service's data folder and returns its output. */
  run: (program: string, ...args: string[]) => Promise<string>;
  /** Closes the pages of earlier tests, which refetch on every event. */
  closePages: () => Promise<void>;
  close: () => Promise<void>;
}

function asAnswer(value: unknown): Answer {
  return value as Answer;
}

async function callApi(info: ServiceInfo, method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
  const response = await fetch(`${info.api_url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key ?? info.api_key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return asAnswer(text === '' ? undefined : JSON.parse(text));
}

function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => void errors.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page aborts its requests.
    if (reason !== 'net::ERR_ABORTED') errors.push(`request: ${request.url()} ${reason}`);
  });
  return errors;
}

/** A page would cost as much as the rest of many tests. The context gets the cookie. */
async function signIn(context: BrowserContext, info: ServiceInfo, key: string): Promise<void> {
  const response = await context.request.post(`${info.dashboard_url}/session`, {
    headers: { origin: info.api_url },
    data: { api_key: key },
  });
  if (response.status() !== 201) throw new Error(`The sign-in answered ${response.status()}.`);
}

interface DashboardOptions {
  /** Uses the account that `start` created and `demo` fills, instead of a new one. Only one file may use it. */
  firstAccount?: boolean;
}

/** Connects to the run's service and browser, with an account for this file. Call `close` at the end of the file. */
export async function openDashboard({ firstAccount = false }: DashboardOptions = {}): Promise<Dashboard> {
  const { dataDir, ...service } = inject('service');
  const run = (program: string, ...args: string[]) => runProgram(dataDir, program, args);
  const info: ServiceInfo = firstAccount
    ? service
    : { ...service, ...JSON.parse(await run('account-create.ts', '--name', 'Local account')) };
  const { account }: Answer = await callApi(info, 'GET', '/me');
  const browser: Browser = await chromium.connect(inject('browserUrl'));
  const errors = new WeakMap<Page, string[]>();
  const contexts: BrowserContext[] = [];
  const closePages = async (): Promise<void> => {
    for (const context of contexts.splice(0)) {
      // A request that a test holds or changes may still be in flight.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
  };
  return {
    ...info,
    account_id: account.id,
    api: (method, path, body, key) => callApi(info, method, path, body, key),
    async page({ theme = 'light', width = 1280, key = info.api_key } = {}) {
      const context = await browser.newContext({ colorScheme: theme, viewport: { width, height: 900 } });
      contexts.push(context);
      if (key !== null) await signIn(context, info, key);
      const page = await context.newPage();
      errors.set(page, collectErrors(page));
      return page;
    },
    errors: (page) => errors.get(page) ?? [],
    async screenshot(page, name, { fullPage } = { fullPage: true }) {
      mkdirSync(shots, { recursive: true });
      // Charts below the viewport render for printing, so this includes them in a full-page screenshot.
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await page.screenshot({ path: `${shots}${name}.png`, fullPage });
    },
    run,
    closePages,
    async close() {
      await closePages();
      await browser.close();
    },
  };
}
