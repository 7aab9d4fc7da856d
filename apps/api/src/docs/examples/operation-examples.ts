import type { Operation } from '@finhook/contracts';
import { curlExample } from './curl.ts';
import { exampleCall } from './example-call.ts';
import { goExample } from './go.ts';
import { pythonExample } from './python.ts';
import { typescriptExample } from './typescript.ts';

export interface OperationExample {
  language: 'sh' | 'typescript' | 'python' | 'go';
  label: string;
  code: string;
}

/** Calls with the operation's example. Address and key are environment variables; Go has the body of a function. */
export function operationExamples(operation: Operation): OperationExample[] {
  const call = exampleCall(operation);
  const curl: OperationExample = { language: 'sh', label: 'curl', code: curlExample(call) };
  // The clients need a key.
  if (operation.scopes.length === 0) return [curl];
  return [
    curl,
    { language: 'typescript', label: 'TypeScript', code: typescriptExample(call) },
    { language: 'python', label: 'Python', code: pythonExample(call) },
    { language: 'go', label: 'Go', code: goExample(call) },
  ];
}
