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

/**
 * The call of an operation with the values of its example, in each language. The address and the key are those of the
 * environment (`FINHOOK_URL`, `FINHOOK_API_KEY`); in Go, `ctx` and the `return` are of the function around it.
 */
export function operationExamples(operation: Operation): OperationExample[] {
  const call = exampleCall(operation);
  const curl: OperationExample = { language: 'sh', label: 'curl', code: curlExample(call) };
  // The clients call with a key.
  if (operation.scopes.length === 0) return [curl];
  return [
    curl,
    { language: 'typescript', label: 'TypeScript', code: typescriptExample(call) },
    { language: 'python', label: 'Python', code: pythonExample(call) },
    { language: 'go', label: 'Go', code: goExample(call) },
  ];
}
