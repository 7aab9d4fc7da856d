import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { runProgram, type ServiceInfo } from './start-finhook.ts';

const shots = fileURLToPath(new URL('../../../test-results/screenshots/', import.meta.url));

interface PageOptions {
  theme?: 'light' | 'dark';
  /** Width of the window in CSS px. */
  width?: number;
  /** Signs in with this key instead of the first one; null signs nobody in. */
  key?: string | null;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON, of which each test knows what it holds
export type Answer = any;

/** An account of the run's service, and the run's Chromium. */
export interface Dashboard extends ServiceInfo {
  account_id: string;
  /** Calls the REST API with a key (the first one) and gives the parsed answer; throws on any refusal. */
  api: (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>;
  /** A fresh browser profile, signed in, with its page at `/dashboard`. */
  page: (options?: PageOptions) => Promise<Page>;
  /** What went wrong in a page so far: exceptions, console errors, failed requests, violations of the policy. */
  errors: (page: Page) => readonly string[];
  /** Keeps a picture of the whole page, or of what the window shows of it, among the test's results. */
  screenshot: (page: Page, name: string, options?: { fullPage: boolean }) => Promise<void>;
  /** Runs a program of apps/cli on the service's data folder and returns what it printed. */
  run: (program: string, ...args: string[]) => Promise<string>;
  /** Closes the pages of the tests before, which read again what each event concerns. */
  closePages: () => Promise<void>;
  close: () => Promise<void>;
}

// What a test expects of an answer is the test's to know.
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
    // A page that is left gives up what it was reading.
    if (reason !== 'net::ERR_ABORTED') errors.push(`request: ${request.url()} ${reason}`);
  });
  return errors;
}

/** The page asks for itself, so that cookies are kept by the rules of a browser. */
async function signIn(page: Page, info: ServiceInfo, key: string): Promise<void> {
  await page.goto(`${info.dashboard_url}/sign-in`);
  const status = await page.evaluate(async (api_key) => {
    const response = await fetch('/dashboard/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key }),
    });
    return response.status;
  }, key);
  if (status !== 201) throw new Error(`The sign-in answered ${status}.`);
  await page.goto(info.dashboard_url);
  await page
    .getByRole('navigation', { name: 'Main' })
    .or(page.getByRole('button', { name: 'Menu' }))
    .first()
    .waitFor();
}

interface DashboardOptions {
  /** The account that `start` opened and `demo` writes to, instead of a new one. One file at most may ask for it. */
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
      // A request that a test holds or changes may still be under way.
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
      const page = await context.newPage();
      if (key !== null) await signIn(page, info, key);
      // The first visit, before anyone was signed in, answers 401 by design and Chromium writes it to the console.
      errors.set(page, collectErrors(page));
      return page;
    },
    errors: (page) => errors.get(page) ?? [],
    async screenshot(page, name, { fullPage } = { fullPage: true }) {
      mkdirSync(shots, { recursive: true });
      // Charts below the viewport are drawn for printing, and so for a picture of the whole page.
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
