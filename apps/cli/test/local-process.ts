import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@finhook/testing';
import type { LocalInfo } from '../src/data-folder.ts';

const sources = fileURLToPath(new URL('../src/', import.meta.url));

/** A program of apps/cli. */
export interface LocalProcess {
  child: ChildProcess;
  /** Of both streams. */
  output: () => string;
  /** Resolves with its exit code. */
  exited: Promise<number | null>;
  /** Resolves when it printed `text`; rejects with its output if it ends before. */
  printed: (text: string) => Promise<void>;
}

/** A temporary data folder; `remove` deletes it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'finhook-local-'));
  chmodSync(root, 0o711);
  return { path: join(root, 'data'), remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function runLocal(program: string, env: Record<string, string>, args: readonly string[] = []): LocalProcess {
  const child = spawn(process.execPath, [join(sources, program), ...args], {
    env: { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code);
      for (const listener of listeners) listener();
    });
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  return {
    child,
    output: () => output,
    exited,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (output.includes(text)) resolve();
          else if (child.exitCode !== null) reject(new Error(`It ended with ${child.exitCode}:\n${output}`));
        };
        listeners.add(check);
        check();
      }),
  };
}

export function readInfo(folder: string): LocalInfo {
  return JSON.parse(readFileSync(join(folder, 'local.json'), 'utf8'));
}

export function hasInfo(folder: string): boolean {
  return existsSync(join(folder, 'local.json'));
}
