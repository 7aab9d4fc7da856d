/** What the benchmark takes from its environment. */
export interface BenchEnv {
  /** Everything, for a program that is started as a person would start it. */
  readonly inherited: Readonly<Record<string, string>>;
  /** The script runner that runs us, when it is pnpm. */
  readonly runner: string | undefined;
  readonly searchPath: readonly string[];
}

/** The only place of the benchmark that reads the environment. */
export function benchEnv(): BenchEnv {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    // What a script runner adds would tell the launcher that somebody else started it.
    if (value !== undefined && !/^npm_/i.test(name)) inherited[name] = value;
  }
  const runner = process.env['npm_execpath'];
  return {
    inherited,
    runner: runner !== undefined && /pnpm/.test(runner) ? runner : undefined,
    searchPath: (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== ''),
  };
}
