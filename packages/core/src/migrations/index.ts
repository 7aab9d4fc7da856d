import { InitialSchema } from './0001-initial-schema.ts';
import { Companies } from './0002-companies.ts';
import { Agents } from './0003-agents.ts';
import { Filings } from './0004-filings.ts';
import { Connections } from './0005-connections.ts';
import { Keys } from './0006-keys.ts';
import { Surface } from './0007-surface.ts';
import { RowSecurity } from './0009-row-security.ts';
import { Cases } from './0010-cases.ts';

/** Every migration in the order in which it runs. A released one is never edited: a change is a new file. */
export const migrations = [
  { name: '0001-initial-schema', class: InitialSchema },
  { name: '0002-companies', class: Companies },
  { name: '0003-agents', class: Agents },
  { name: '0004-filings', class: Filings },
  { name: '0005-connections', class: Connections },
  { name: '0006-keys', class: Keys },
  { name: '0007-surface', class: Surface },
  { name: '0009-row-security', class: RowSecurity },
  { name: '0010-cases', class: Cases },
];
