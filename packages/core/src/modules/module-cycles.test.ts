// Risk: core has no barrels, so that modules can grow into each other file by file until none can be read alone.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The modules that each module's sources import. */
function readModules(): Map<string, ReadonlySet<string>> {
  const modules = new Map<string, Set<string>>();
  for (const { name, parentPath } of readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true })) {
    const module = parentPath.slice(import.meta.dirname.length + 1).split('/')[0];
    if (!module || !name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const imports = readFileSync(`${parentPath}/${name}`, 'utf8').matchAll(
      /(?:from|import) '\.\.\/(?:\.\.\/)?([a-z-]+)\//g,
    );
    const known = modules.get(module) ?? new Set();
    for (const [, other = ''] of imports) known.add(other);
    modules.set(module, known);
  }
  return modules;
}

it('no module imports one that imports it, directly or through others', () => {
  const modules = readModules();
  expect(modules.size).toBeGreaterThan(10);
  // A module without imports among those that are left is taken away, until those are left that import each other.
  for (let last = -1; last !== modules.size; ) {
    last = modules.size;
    for (const [name, imports] of modules) {
      if ([...imports].every((other) => other === name || !modules.has(other))) modules.delete(name);
    }
  }
  expect([...modules.keys()]).toEqual([]);
});
