import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const repository = join(root, '../..');
/** The current compiler and an older one. */
export const compilers = {
  7: join(repository, 'node_modules/typescript/bin/tsc'),
  5: join(root, 'node_modules/typescript-5/bin/tsc'),
};

/** A folder outside the repository with the packed client installed. */
export interface Application {
  readonly folder: string;
  /** Of `@finhook/client`. */
  readonly installed: string;
  readonly remove: () => void;
}

/** Packs the client and installs it, which needs no registry because it has no dependencies. */
export function installApplication(): Application {
  const folder = mkdtempSync(join(tmpdir(), 'finhook-application-'));
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
  const tarball = run(process.execPath, join(root, 'scripts/pack-client.ts'), '--into', folder).trim();
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  mkdirSync(join(folder, 'node_modules/@types'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  return {
    folder,
    installed: join(folder, 'node_modules/@finhook/client'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
