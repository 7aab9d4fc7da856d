import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as core from '@finhook/core';
import { imageSettings, keepCode } from './start-process.ts';

interface Program {
  readonly main: URL;
  /** Node's options in production. */
  readonly settings: Readonly<Record<string, string>>;
}

type ServicePrograms = Pick<Checkout, 'api' | 'worker' | 'combined'>;

/** A checkout of the service: its programs, and its core for migrating and seeding. */
export interface Checkout {
  readonly root: URL;
  /** False with `--against`: measurements that call code directly run for this checkout only. */
  readonly isOwn: boolean;
  readonly commit: string;
  readonly core: typeof core;
  readonly api: Program;
  readonly worker: Program;
  /** Api and worker in one process. Undefined for a checkout without that program. */
  readonly combined: Program | undefined;
}

export const ownRoot = new URL('../../../', import.meta.url);

// Only the called functions must be the same in both checkouts.
async function importCore(root: URL): Promise<Checkout['core']> {
  return (await import(new URL('packages/core/src/index.ts', root).href)) as Checkout['core'];
}

/** Compiled code is kept in `codeFolder`, as in the image. */
export async function openCheckout(root: URL, codeFolder: string): Promise<Checkout> {
  const mainOf = (name: keyof ServicePrograms) => new URL(`apps/${name}/src/main.ts`, root);
  const open = async (name: keyof ServicePrograms): Promise<Program> => {
    const settings = imageSettings(root, name === 'combined' ? 'worker' : name, codeFolder);
    await keepCode(settings, mainOf(name));
    return { main: mainOf(name), settings };
  };
  return {
    root,
    isOwn: root.href === ownRoot.href,
    commit: commitOf(root),
    core: await importCore(root),
    api: await open('api'),
    worker: await open('worker'),
    combined: existsSync(mainOf('combined')) ? await open('combined') : undefined,
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
