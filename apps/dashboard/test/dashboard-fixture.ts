import { type Receiver, startReceiver } from '@finhook/testing';
import { type Browser, type BrowserContext, chromium, type Dialog, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { runDemo, type ServiceInfo } from './start-finhook.ts';

interface PageOptions {
  theme?: 'light' | 'dark';
  width?: number;
  /** Signs in with this key instead of the first one; null skips the sign-in. */
  key?: string | null;
  /** A browser context of its own: for a test that signs out, stops the clock or adds a script to the page. */
  isolated?: boolean;
  /** A screen that is tapped, in a browser context of its own. */
  touch?: boolean;
}

interface OpenOptions extends PageOptions {
  /** Id of the company that the page shows; the account's first one by default. */
  company?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON, whose shape each test knows
export type Json = any;

export interface Dashboard extends ServiceInfo {
  account_id: string;
  /** Calls the REST API (with the first key by default) and returns the parsed response; throws on an error status. */
  api: (method: string, path: string, body?: unknown, key?: string) => Promise<Json>;
  createAccount: (name: string) => Promise<Pick<ServiceInfo, 'api_key' | 'company_id'>>;
  createPerson: (name: string) => Promise<string>;
  /** A signed-in tab, empty or as an earlier test left it. The next `open` reloads it. */
  page: (options?: PageOptions) => Promise<Page>;
  /** A tab that shows the path, with everything loaded. It reuses an earlier test's tab, unless that test used `route`. */
  open: (path: string, options?: OpenOptions) => Promise<Page>;
  errors: (page: Page) => readonly string[];
  runDemo: () => Promise<void>;
  /** Releases the tabs of the last test, apart from those opened in `beforeAll`. */
  endTest: () => Promise<void>;
  close: () => Promise<void>;
}

function asJson(value: unknown): Json {
  return value as Json;
}

async function callApi(info: ServiceInfo, method: string, path: string, body?: unknown, key?: string): Promise<Json> {
  const response = await fetch(`${info.api_url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key ?? info.api_key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return asJson(text === '' ? undefined : JSON.parse(text));
}

function collectErrors(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => void errors.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page aborts its requests.
    if (reason !== 'net::ERR_ABORTED') errors.push(`request: ${request.url()} ${reason}`);
  });
}

/** Signing in with a page would take as long as many tests. */
async function signIn(context: BrowserContext, info: ServiceInfo, key: string): Promise<void> {
  const response = await context.request.post(`${info.dashboard_url}/session`, {
    headers: { origin: info.api_url },
    data: { api_key: key },
  });
  if (response.status() !== 201) throw new Error(`The sign-in returned ${response.status()}.`);
}

/** Resolves when the page has navigated, read and drawn everything. */
export async function settled(page: Page): Promise<void> {
  const isSettled = 'html:not([data-pending]):not(:has([role="status"]:not(#boot *) > .animate-pulse))';
  await page.locator(isSettled).waitFor({ state: 'attached' });
}

/** Goes to another page without loading the dashboard again, as a link does. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(async (to) => {
    history.pushState(null, '', to);
    // React sets `data-pending` after it has rendered.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  }, `/dashboard${path}`);
  await settled(page);
}

/** Goes by way of another page, which closes what the last test left open, and discards its unsaved changes. */
export async function startAt(page: Page, path: string): Promise<void> {
  const accept = (dialog: Dialog) => dialog.accept();
  page.on('dialog', accept);
  await navigate(page, '/nowhere');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  page.off('dialog', accept);
  // Messages may cover buttons, and stay while the pointer is over them.
  await page.evaluate(() => {
    for (const close of document.querySelectorAll<HTMLElement>('[data-base-ui-portal] [aria-label="Dismiss"]'))
      close.click();
  });
  await navigate(page, path);
}

/** The file that the menu of a list offers under this name, as text. */
export async function exportedFile(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const address = await page.getByRole('menuitem', { name, exact: true }).getAttribute('href');
  await page.keyboard.press('Escape');
  return page.evaluate(async (href) => (await fetch(href)).text(), address ?? '');
}

export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

function onRoute(page: Page, listener: (page: Page) => void): void {
  const route = page.route.bind(page);
  page.route = (...args) => {
    listener(page);
    return route(...args);
  };
}

/** Loading the dashboard takes half the time of a test, so tabs with the first key are reused. */
function createTabs(browser: Browser, info: ServiceInfo, routed: (page: Page) => void) {
  const errors = new WeakMap<Page, string[]>();
  const spare: Page[] = [];
  let used: { page: Page; isKept: boolean }[] = [];
  let shared: Promise<BrowserContext> | undefined;
  async function newContext(key: string | null, options: object): Promise<BrowserContext> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    if (key !== null) await signIn(context, info, key);
    return context;
  }
  async function take(key: string | null, isKept: boolean, look: object): Promise<Page> {
    const known = isKept ? spare.pop() : undefined;
    if (known !== undefined) return known;
    shared ??= isKept ? newContext(key, look) : undefined;
    return (await (isKept && shared !== undefined ? shared : newContext(key, look))).newPage();
  }
  return {
    errors: (page: Page) => errors.get(page) ?? [],
    page: async (options: PageOptions = {}) => {
      const { theme = 'light', width = 1280, key = info.api_key, isolated = false, touch = false } = options;
      const viewport = { width, height: 900 };
      const isKept = key === info.api_key && !isolated && !touch;
      const page = await take(key, isKept, { colorScheme: theme, viewport, hasTouch: touch });
      used.push({ page, isKept });
      const known = errors.get(page);
      known?.splice(0);
      if (known === undefined) {
        errors.set(page, []);
        collectErrors(page, errors.get(page) ?? []);
        onRoute(page, routed);
      }
      if (isKept) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: theme });
      }
      return page;
    },
    /** Pages opened so far stay as they are until the end of the file. */
    keep: () => void (used = []),
    async endTest(): Promise<void> {
      for (const { page, isKept } of used.splice(0)) {
        // A request that a test holds or changes may still be in flight.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        if (!isKept) await page.context().close();
        else {
          if (page.url() !== 'about:blank') await page.evaluate(() => localStorage.clear());
          spare.push(page);
        }
      }
    },
  };
}

interface DashboardOptions {
  /** Uses the account that `start` created and `demo` fills, instead of a new one. Only one file may use it. */
  firstAccount?: boolean;
}

/** Connects to the run's service and browser, with an account for this file. Call `close` at the end of the file. */
export async function openDashboard({ firstAccount = false }: DashboardOptions = {}) {
  const { dataDir, programsUrl, ...service } = inject('service');
  const run = async (program: string, ...args: string[]): Promise<Json> => {
    const response = await fetch(programsUrl + program, { method: 'POST', body: JSON.stringify(args) });
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  };
  const createAccount = (name: string) => run('/account-create', '--name', name);
  const info: ServiceInfo = firstAccount ? service : { ...service, ...(await createAccount('Local account')) };
  const { account }: Json = await callApi(info, 'GET', '/me');
  const browser: Browser = await chromium.connect(inject('browserUrl'));
  /** Tabs in which the next `open` need not load the dashboard again. */
  const opened = new WeakSet<Page>();
  const { page, keep, ...tabs } = createTabs(browser, info, (tab) => opened.delete(tab));
  const dash: Dashboard = {
    ...info,
    ...tabs,
    account_id: account.id,
    createAccount,
    createPerson: async (name) => (await run('/account-key', '--account', account.id, '--name', name)).api_key,
    api: (method, path, body, key) => callApi(info, method, path, body, key),
    async page(options) {
      const tab = await page(options);
      opened.delete(tab);
      return tab;
    },
    async open(path, { company = info.company_id, ...options } = {}) {
      const tab = await page(options);
      const url = new URL(`${info.dashboard_url}${path}`);
      url.searchParams.set('company', company);
      if (opened.has(tab)) await startAt(tab, url.href.slice(info.dashboard_url.length));
      else await tab.goto(url.href, { waitUntil: 'commit' });
      await settled(tab);
      opened.add(tab);
      return tab;
    },
    runDemo: () => runDemo(dataDir),
    close: () => browser.close(),
  };
  return { dash, keep };
}

/** The dashboard of a test file, with an account of its own. `seed` runs before the first test. */
export function setUpDashboard({
  seed,
  ...options
}: DashboardOptions & { seed?: (dash: Dashboard) => Promise<void> } = {}): Dashboard {
  let opened: Awaited<ReturnType<typeof openDashboard>> | undefined;
  const dash = new Proxy(asDashboard({}), {
    get: (_, name) => {
      if (opened === undefined) throw new Error('The dashboard is open in hooks and tests only.');
      return Reflect.get(opened.dash, name);
    },
  });
  beforeAll(async () => {
    opened = await openDashboard(options);
    await seed?.(opened.dash);
  }, 120_000);
  beforeEach(() => opened?.keep());
  afterEach(() => dash.endTest());
  afterAll(() => opened?.dash.close());
  return dash;
}

/** A receiver of webhooks for a test file. */
export function setUpReceiver(): Receiver {
  let started: Receiver | undefined;
  beforeAll(async () => {
    started = await startReceiver();
  });
  afterAll(() => started?.close());
  return new Proxy(asReceiver({}), {
    get: (_, name) => {
      if (started === undefined) throw new Error('The receiver runs in hooks and tests only.');
      return Reflect.get(started, name);
    },
  });
}

function asReceiver(value: object): Receiver {
  return value as Receiver;
}

function asDashboard(value: object): Dashboard {
  return value as Dashboard;
}
