// Reads the reports of the test runner for `.ci/run`:
//   reports.ts failed <report> …  prints "file: title" for each failed test
//   reports.ts total <report> …   prints the tests that passed and failed
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** A file that failed outside its tests is one failure. */
export function failedTests({ success, testResults }: Report, folder: string): string[] {
  if (success) return [];
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title);
      return (failed.length > 0 ? failed : ['the file itself']).map((title) => `${relative(folder, name)}: ${title}`);
    });
}

/** A missing report is one failure, and so is one that failed in no test of its own. */
export function total(reports: readonly (Report | undefined)[]): { passed: number; failed: number } {
  let [passed, failed] = [0, 0];
  for (const report of reports) {
    passed += report?.numPassedTests ?? 0;
    failed += report?.success ? 0 : Math.max(report?.numFailedTests ?? 0, 1);
  }
  return { passed, failed };
}

// The format of vitest.
function readReport(path: string): Report {
  return JSON.parse(readFileSync(path, 'utf8')) as Report;
}

function run(command: string | undefined, paths: readonly string[]): void {
  const found = paths.map((name) => (existsSync(name) ? readReport(name) : undefined));
  if (command === 'failed') {
    for (const [i, report] of found.entries()) {
      const lines = report ? failedTests(report, process.cwd()) : [`${paths[i]}: no report`];
      for (const line of lines) console.log(line);
    }
  } else if (command === 'total') {
    const { passed, failed } = total(found);
    console.log(passed, failed);
  } else throw new Error('Usage: reports.ts failed|total <report> …');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run(process.argv[2], process.argv.slice(3));
