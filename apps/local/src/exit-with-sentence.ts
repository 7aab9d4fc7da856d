/** Ends the process with the sentence of an expected failure, or with everything that is known of another one. */
export function exitWithSentence(error: unknown): never {
  const expected =
    error instanceof Error &&
    [
      'LocalError',
      'EnvError',
      'EmbeddedPostgresError',
      'RestoredIdsError',
      'OldServerError',
      'NotMigratedError',
    ].includes(error.name);
  if (expected || typeof error === 'string') console.error(`\n${expected ? error.message : error}\n`);
  else console.error(error);
  process.exit(1);
}
