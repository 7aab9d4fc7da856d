import type { RuleTester } from 'oxlint/plugins-dev';

/** A lint rule; oxlint publishes the type only through its tester. */
export type Rule = Extract<Parameters<RuleTester['run']>[1], { create: unknown }>;
export type RuleContext = Parameters<Rule['create']>[0];
type Visitor = ReturnType<Rule['create']>;
/** The syntax node that a visitor's method receives. */
export type NodeOf<Name extends keyof Visitor> = Parameters<NonNullable<Visitor[Name]>>[0];

/** The linted file's path below the repository's root, with forward slashes. */
export function pathInRepository({ filename, cwd }: Pick<RuleContext, 'filename' | 'cwd'>): string {
  const path = filename.replaceAll('\\', '/');
  const root = `${cwd.replaceAll('\\', '/')}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
}

/** Whether a path belongs to tests: they may reach further than sources. */
export function isTestPath(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /(^|\/)test\//.test(path);
}
