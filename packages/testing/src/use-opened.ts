import { afterAll, beforeAll } from 'vitest';

/**
 * The result of `open`, called before the tests of the calling file or suite; `close` is called after them. Reading a
 * property earlier fails the test.
 */
export function useOpened<T extends object>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => (opened === undefined ? undefined : close(opened)));
  return forwardTo(() => {
    if (opened === undefined) throw new Error('It is opened before the tests, not while the file is loaded.');
    return opened;
  });
}

/** Forwards properties and methods to the current object, except for those of `fixed`. */
export function forwardTo<T extends object>(current: () => T, fixed: Partial<T> = {}): T {
  const handler: ProxyHandler<object> = {
    get: (_, name) => {
      if (name in fixed) return Reflect.get(fixed, name);
      const value: unknown = Reflect.get(current(), name);
      const bound: unknown = typeof value === 'function' ? value.bind(current()) : value;
      return bound;
    },
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  };
  return new Proxy({}, handler) as T;
}
