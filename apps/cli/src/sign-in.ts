import { exitWithMessage, LocalError } from './command.ts';
import { openDataFolder } from './data-folder.ts';
import { readLocalEnv } from './env.ts';
import { signInUrl } from './first-account.ts';
import { print } from './terminal.ts';
import { withCore } from './with-core.ts';

async function printLink(): Promise<void> {
  const env = readLocalEnv();
  const folder = openDataFolder(env.FINHOOK_DATA_DIR);
  const running = folder.running();
  if (!running) throw new LocalError(`No service runs on ${folder.path}. Start it: npx -y pnpm@12.21.0 start.`);
  const url = await withCore(env, (core) => signInUrl(core, running));
  folder.announceSignIn(running, url);
  print(`Open this in a browser; its button signs in once, within 24 hours:\n\n  ${url}\n`);
}

try {
  await printLink();
} catch (error) {
  exitWithMessage(error);
}
