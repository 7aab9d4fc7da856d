import { InitialSchema } from './0001-initial-schema.ts';

/** Every migration in the order in which it runs. A released one is never edited: a change is a new file. */
export const migrations = [{ name: '0001-initial-schema', class: InitialSchema }];
