export interface BenchEnv {
  /** For programs started like by a person. */
  readonly inherited: Readonly<Record<string, string>>;
  /** Undefined unless pnpm runs the benchmark. */
  readonly runner: string | undefined;
  readonly searchPath: readonly string[];
}

/** Only this function reads the environment of the benchmark. */
export function benchEnv(): BenchEnv {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    // Variables of the script runner would show that the benchmark started the program.
    if (value !== undefined && !/^npm_/i.test(name)) inherited[name] = value;
  }
  const runner = process.env['npm_execpath'];
  return {
    inherited,
    runner: runner !== undefined && /pnpm/.test(runner) ? runner : undefined,
    searchPath: (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== ''),
  };
}
