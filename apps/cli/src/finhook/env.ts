import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Environment {
  apiKey: string | undefined;
  url: string | undefined;
  profile: string | undefined;
  webhookSecret: string | undefined;
  databaseUrl: string | undefined;
  queueUrl: string | undefined;
  configFolder: string;
  dataFolder: string;
  noColor: boolean;
  /** All variables, for the server's settings. */
  variables: Variables;
}

type Variables = Readonly<Record<string, string | undefined>>;

function configFolder(env: Variables, platform: NodeJS.Platform): string {
  const own = env['FINHOOK_CONFIG_DIR'];
  if (own) return own;
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'finhook');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'finhook');
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'finhook');
}

export function readEnvironment(env: Variables = process.env, platform = process.platform): Environment {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  return {
    apiKey: text('FINHOOK_API_KEY'),
    url: text('FINHOOK_URL'),
    profile: text('FINHOOK_PROFILE'),
    webhookSecret: text('FINHOOK_WEBHOOK_SECRET'),
    databaseUrl: text('DATABASE_URL'),
    queueUrl: text('QUEUE_URL'),
    configFolder: configFolder(env, platform),
    dataFolder: text('FINHOOK_DATA_DIR') ?? '.finhook',
    // https://no-color.org: any value that is not empty.
    noColor: Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb',
    variables: env,
  };
}
