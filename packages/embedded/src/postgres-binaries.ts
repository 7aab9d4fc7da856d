import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the binaries in the platform package that `embedded-postgres` depends on. */
export function postgresBinaries(): PostgresBinaries {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL runs on Linux and macOS only: use WSL, or set DATABASE_URL to a server of your own.',
    );
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Optional dependencies of a dependency resolve only from its own folder.
    const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const bin = join(dirname(fromWrapper.resolve(name)), '..', 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name} is not installed): ` +
        'run the install again with optional dependencies, or set DATABASE_URL to a server of your own.',
    );
  }
}
