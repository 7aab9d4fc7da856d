import { type FieldError, type FieldErrorCode, fieldErrorCodes } from '@finhook/contracts';
import type { core } from 'zod';

type Issue = core.$ZodIssue;

export type IsSecretPath = (path: readonly PropertyKey[]) => boolean;

const MAX_SHOWN = 64;
const GOT = '; got ';

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let current = root;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = Reflect.get(current, part);
  }
  return current;
}

function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value);
  return truncate(text, MAX_SHOWN);
}

function tooBig(issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): FieldErrorCode {
  const small = issue.code === 'too_small';
  if (issue.origin === 'string') return small ? 'too_short' : 'too_long';
  if (issue.origin === 'array') return small ? 'too_few' : 'too_many';
  return 'out_of_range';
}

function formatCode(issue: Extract<Issue, { code: 'invalid_format' }>): FieldErrorCode {
  return issue.format === 'date' ? 'invalid_date' : 'invalid_format';
}

function typeCode(issue: Extract<Issue, { code: 'invalid_type' }>, value: unknown): FieldErrorCode {
  if (value === Infinity || value === -Infinity) return 'out_of_range';
  return typeof value === 'number' && issue.expected === 'int' ? 'not_an_integer' : 'invalid_type';
}

function describe(issue: Issue, value: unknown, isSecret: boolean): { code: FieldErrorCode; message: string } {
  // An explicit null is the same as an absent field.
  if (value === undefined || value === null) return { code: 'required', message: 'is required' };
  const got = isSecret ? '' : `${GOT}${show(value)}`;
  switch (issue.code) {
    case 'invalid_type': {
      const code = typeCode(issue, value);
      if (code === 'not_an_integer') return { code, message: `must be a whole number${unitOf(issue)}${got}` };
      if (code === 'out_of_range') return { code, message: `must be a finite number` };
      return {
        code,
        message: `must be ${issue.expected === 'int' ? 'an integer' : `of type ${issue.expected}`}${got}`,
      };
    }
    case 'too_big':
    case 'too_small': {
      const bound = issue.code === 'too_big' ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
      const unit = issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? ' entries long' : '';
      return { code: tooBig(issue), message: `must be ${bound}${unit}${got}` };
    }
    case 'invalid_format':
      return { code: formatCode(issue), message: `${sentence(issue.message)}${got}` };
    case 'invalid_value':
      return { code: 'enum_unknown', message: `must be one of ${issue.values.map(String).join(', ')}${got}` };
    case 'custom':
      return { code: customCode(issue), message: `${sentence(issue.message)}${got}` };
    default:
      return { code: 'invalid_type', message: `${sentence(issue.message)}${got}` };
  }
}

function unitOf({ path }: Issue): string {
  return String(path.at(-1)).endsWith('_cents') ? ' of minor units' : '';
}

function customCode(issue: Extract<Issue, { code: 'custom' }>): FieldErrorCode {
  const code: unknown = issue.params?.['code'];
  return fieldErrorCodes.find((known) => known === code) ?? 'invalid_format';
}

// Our own messages begin with "must", those of zod with "Invalid".
function sentence(message: string): string {
  return message.startsWith('Invalid') ? 'has an invalid format' : message;
}

/** Converts zod issues. Messages quote the value sent unless it is a secret. */
export function toFieldErrors(issues: readonly Issue[], input: unknown, isSecret: IsSecretPath): FieldError[] {
  return issues.flatMap((issue): FieldError[] => {
    const { path } = issue;
    const toError = (found: Issue, value: unknown): FieldError => ({
      pointer: pointerOf(path),
      ...describe(found, value, isSecret(path)),
    });
    if (issue.code === 'unrecognized_keys') {
      const { message } = issue;
      return issue.keys.map((key) => ({ pointer: pointerOf([...path, key]), code: 'unknown_field', message }));
    }
    if (issue.code === 'invalid_key') return issue.issues.slice(0, 1).map((inner) => toError(inner, path.at(-1)));
    return [toError(issue, valueAt(input, path))];
  });
}

/** Removes a secret value from an error that was created without the schema. */
export function withoutSecret(error: FieldError, isSecret: IsSecretPath): FieldError {
  const [rule = ''] = error.message.split(GOT);
  return isSecret(pathOf(error.pointer)) ? { ...error, message: rule } : error;
}

/** Longer than any field name. Limits the size of responses. */
const MAX_SEGMENT = 100;

function segmentOf(part: PropertyKey): string {
  return `/${truncate(String(part), MAX_SEGMENT).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** RFC 6901 pointer. Overlong segments are truncated and end in `…`. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map(segmentOf).join('');
}

export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Truncates text to `max` UTF-16 units and `…`. Replaces lone surrogates, which strict parsers reject. */
export function truncate(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text.toWellFormed();
}
