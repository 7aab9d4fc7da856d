import { createMigratedDatabase } from '@finhook/core/test';
import type { TestDatabase } from '@finhook/testing';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { type ApiFixture, type FixtureOptions, openApiFixture } from './api-fixture.ts';

/**
 * For a file whose tests each need an api of their own: opens them on one database, with an account of its own each, and
 * closes them after their test.
 */
export function useApis(): (options?: FixtureOptions) => Promise<ApiFixture> {
  let database: TestDatabase;
  const opened: ApiFixture[] = [];
  beforeAll(async () => {
    database = await createMigratedDatabase(inject('pgUrl'));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((fixture) => fixture.close()));
  });
  afterAll(() => database.drop());
  return async (options) => {
    const fixture = await openApiFixture(inject('pgUrl'), { ...options, databaseUrl: database.url });
    opened.push(fixture);
    return fixture;
  };
}
