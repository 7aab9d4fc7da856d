import { chromiumBinary } from '@finhook/testing';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { type ServiceInfo, startFinhook } from './start-finhook.ts';

declare module 'vitest' {
  interface ProvidedContext {
    service: ServiceInfo & { dataDir: string; programsUrl: string };
    browserUrl: string;
  }
}

/** Vitest global setup: one service, started as users start it, and one Chromium for all browser tests of the run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = chromiumBinary();
  if (executablePath === null) return undefined;
  const { info, dataDir, programsUrl, stop } = await startFinhook();
  const browser = await chromium.launchServer({ executablePath, args: ['--no-sandbox'] });
  project.provide('service', { ...info, dataDir, programsUrl });
  project.provide('browserUrl', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await stop();
  };
}
