import { isExpected } from '@finhook/platform';

/** Ends the process with the sentence of an expected failure, or with everything that is known of another one. */
export function exitWithSentence(error: unknown): never {
  const sentence = isExpected(error, ['LocalError', 'EnvError', 'EmbeddedPostgresError']) ? error.message : error;
  console.error(typeof sentence === 'string' ? `\n${sentence}\n` : sentence);
  process.exit(1);
}
