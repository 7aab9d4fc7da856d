import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type * as core from '@finhook/core';
import { imageSettings, keepCode } from './start-process.ts';

interface Program {
  readonly main: URL;
  /** Node's options in production. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A checkout of the service: its programs, and its core for migrating and seeding. */
export interface Checkout {
  readonly root: URL;
  /** False with `--against`: measurements that call code directly run for this checkout only. */
  readonly isOwn: boolean;
  readonly commit: string;
  readonly core: typeof core;
  readonly api: Program;
  readonly worker: Program;
}

export const ownRoot = new URL('../../../', import.meta.url);

// Only the called functions must be the same in both checkouts.
async function importCore(root: URL): Promise<Checkout['core']> {
  return (await import(new URL('packages/core/src/index.ts', root).href)) as Checkout['core'];
}

/** Compiled code is kept in `codeFolder`, as in the image. */
export async function openCheckout(root: URL, codeFolder: string): Promise<Checkout> {
  const open = async (name: 'api' | 'worker'): Promise<Program> => {
    const program = {
      main: new URL(`apps/${name}/src/main.ts`, root),
      settings: imageSettings(root, name, codeFolder),
    };
    await keepCode(program.settings, program.main);
    return program;
  };
  return {
    root,
    isOwn: root.href === ownRoot.href,
    commit: commitOf(root),
    core: await importCore(root),
    api: await open('api'),
    worker: await open('worker'),
  };
}

function commitOf(root: URL): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: fileURLToPath(root), encoding: 'utf8' });
  try {
    const id = git('rev-parse', '--short', 'HEAD').trim();
    return git('status', '--porcelain') === '' ? id : `${id} with changes`;
  } catch {
    return 'unknown';
  }
}
