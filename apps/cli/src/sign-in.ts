import { ExpectedError, type Program, runProgram } from './command.ts';
import { openDataFolder } from './data-folder.ts';
import { readLocalEnv } from './env.ts';
import { signInUrl } from './first-account.ts';
import { withCore } from './with-core.ts';

export const signIn: Program = async (_args, source) => {
  const env = readLocalEnv(source);
  const folder = openDataFolder(env.FINHOOK_DATA_DIR);
  const running = folder.running();
  if (!running) throw new ExpectedError(`No service runs on ${folder.path}. Start it: npx -y pnpm@12.21.0 start.`);
  const url = await withCore(env, (core) => signInUrl(core, running));
  folder.announceSignIn(running, url);
  return `Open this in a browser; its button signs in once, within 24 hours:\n\n  ${url}\n`;
};

if (import.meta.main) await runProgram(signIn);
