import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const serving = /"url":"([^"]+)".*"msg":"ready"/;
const readyLines = { api: serving, combined: serving, worker: /()"msg":"worker started"/ };

/** Resolves when the log of a process says that it is ready: with the address of an api, with '' for a worker. */
export async function readReadyLine(child: ChildProcess, name: keyof typeof readyLines): Promise<string> {
  if (child.stdout === null) throw new Error(`The ${name} has no output.`);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const [, url] = readyLines[name].exec(line) ?? [];
    if (url === undefined) continue;
    // An unread pipe would block the process.
    child.stdout.resume();
    return url;
  }
  throw new Error(`The ${name} ended before it was ready:\n${lines.slice(-3).join('\n')}`);
}
