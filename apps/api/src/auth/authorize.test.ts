// Risk: a limited key changes records outside of its permissions, because an operation names no permission.
import { operationList, type Permission, permission } from '@finhook/contracts';
import { DomainError } from '@finhook/core';
import { describe, expect, test } from 'vitest';
import { checkAccess } from './authorize.ts';

describe.each(operationList)('$id', (operation) => {
  test('every mutation names a permission, and no query does', () => {
    expect(operation.permission !== undefined).toBe(operation.kind === 'mutation');
  });

  test('a human key needs only that permission', () => {
    if (!operation.scopes.includes('human')) return;
    const rejected = permission.options.filter((name) => !isLetIn([name]));
    const needed = operation.permission;
    expect(rejected).toEqual(needed === undefined ? [] : permission.options.filter((name) => name !== needed));
    expect(isLetIn([])).toBe(needed === undefined);
    expect(isLetIn(undefined)).toBe(true);
  });

  function isLetIn(permissions: readonly Permission[] | undefined): boolean {
    try {
      checkAccess(operation, { scope: 'human', access: { permissions } });
      return true;
    } catch (error) {
      expect(error instanceof DomainError && error.code).toBe('insufficient_scope');
      if (operation.permission !== undefined) expect(String(error)).toContain(operation.permission);
      return false;
    }
  }
});
