import type { RuleTester } from 'oxlint/plugins-dev';

/** oxlint exports the type only through its tester. */
export type Rule = Extract<Parameters<RuleTester['run']>[1], { create: unknown }>;
export type RuleContext = Parameters<Rule['create']>[0];
type Visitor = ReturnType<Rule['create']>;
export type NodeOf<Name extends keyof Visitor> = Parameters<NonNullable<Visitor[Name]>>[0];

/** Path of the linted file from the repository's root, with forward slashes. */
export function pathInRepository({ filename, cwd }: Pick<RuleContext, 'filename' | 'cwd'>): string {
  const path = filename.replaceAll('\\', '/');
  const root = `${cwd.replaceAll('\\', '/')}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
}

export function isTestPath(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /(^|\/)test\//.test(path);
}
