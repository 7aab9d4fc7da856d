import { type ErrorCode, errors, type FieldError } from '@finhook/contracts';

export interface DomainErrorDetails {
  /** A public sentence: what is wrong and what to do. */
  detail: string;
  fields?: readonly FieldError[];
  /** Extension members of the problem document, for example `{ limit: 500 }`. */
  extra?: Readonly<Record<string, unknown>>;
  retryAfter?: number;
  cause?: unknown;
}

/** Everything but `cause` is public. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, details: DomainErrorDetails) {
    super(details.detail, { cause: details.cause });
    this.name = 'DomainError';
    this.code = code;
    this.fields = details.fields ?? [];
    this.extra = details.extra ?? {};
    this.retryAfter = details.retryAfter;
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** @throws `validation_failed` if the list has errors */
export function rejectFields(checked: readonly (FieldError | undefined)[]): void {
  const fields = checked.filter((error) => error !== undefined);
  if (fields.length > 0) rejectWithFields(fields);
}

/** @throws `validation_failed`; `fields` must not be empty */
export function rejectWithFields(fields: readonly FieldError[]): never {
  throw new DomainError('validation_failed', { detail: describeFieldErrors(fields), fields });
}

export const MAX_FIELD_ERRORS = 100;

export function describeFieldErrors(fields: readonly FieldError[]): string {
  const [first] = fields;
  if (fields.length === 1 && first) return `${first.pointer || 'The body'} ${first.message}.`;
  const count = fields.length > MAX_FIELD_ERRORS ? `more than ${MAX_FIELD_ERRORS}` : fields.length;
  return `The request has ${count} faults; see errors.`;
}

/** Also for ids of other accounts, so that ids cannot be probed. */
export function notFound(what: string): DomainError {
  return new DomainError('not_found', { detail: `No such ${what}. Check the id and the account of the API key.` });
}

export function companyNotFound(): DomainError {
  return new DomainError('company_not_found', {
    detail: 'No such company. Check the id and the account of the API key.',
  });
}

export function unknownCompany(pointer: string): FieldError {
  return { pointer, code: 'company_not_found', message: 'is no company of this account' };
}

export function companyDissolved(): DomainError {
  return new DomainError('company_dissolved', {
    detail: 'The company is dissolved: its records can be read and no longer changed.',
  });
}
