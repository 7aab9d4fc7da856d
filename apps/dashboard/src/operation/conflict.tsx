import type { CatalogueField, MutationId } from '@finhook/contracts/catalogue';
import { hashKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { getUntypedClient } from '@trpc/client';
import { useEffect, useRef } from 'react';
import { valueText } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { useZone } from '../components/shell/company-context.ts';
import { Instant } from '../components/time.tsx';
import { moneyText } from '../lib/parse-money.ts';
import { fieldOf, problemOf, textIn } from '../lib/problem.ts';
import { partOf } from '../lib/refetch-changed.ts';
import { actorName, visibleText } from '../lib/text.ts';
import { type Outputs, useTRPCClient } from '../lib/trpc.ts';
import { fieldName } from './field-control.tsx';
import { dirtyFields, shownText } from './field-values.ts';
import { fields as catalogueFields } from './fields.catalogue.ts';
import { pathParameters } from './records.catalogue.ts';

/** What others changed in the fields that a form replaces. */
export interface Conflict {
  /** The record as it is stored now. */
  now: object;
  /** The stored values of the fields. */
  changed: Readonly<Record<string, unknown>>;
  by: Outputs['activity']['list']['data'][number] | undefined;
}

/** The fields among `names` that others changed since `before`, to another value than that of `mine`. */
export function changedByOthers(
  before: object,
  now: object,
  mine: object,
  names: readonly string[],
): Record<string, unknown> {
  const stored = Object.fromEntries(names.flatMap((name) => (name in now ? [[name, fieldOf(now, name)]] : [])));
  return dirtyFields(mine, dirtyFields(before, stored));
}

/** Rows of the log to look through for the change: a company, for example, has changes of several kinds. */
const LOGGED = 10;

interface ConflictOptions {
  operation: MutationId;
  fixed: object;
  /** The record that the edit began from; undefined if there was none. */
  before: object | undefined;
  /** The last save. */
  last: Pick<UseMutationResult, 'isError' | 'error' | 'variables'>;
}

interface Replacement {
  input: object;
  mine: object;
  names: readonly string[];
}

/**
 * Compares the record that an edit began from with the one that is stored now. The api has no precondition, so a change
 * between this and the save is still overwritten.
 */
export function useConflict({ operation, fixed, before, last }: ConflictOptions) {
  const client = useQueryClient();
  const trpc = useTRPCClient();
  const api = getUntypedClient(trpc);
  const known = useRef(before);
  const get = `${partOf(operation)}.get`;

  async function readNow(): Promise<object | undefined> {
    const parameters = pathParameters[get] ?? [];
    const input = Object.fromEntries(parameters.map((name) => [name, fieldOf(fixed, name) ?? fieldOf(before, 'id')]));
    try {
      const now = await api.query(get, input);
      client.setQueryData([get.split('.'), { input, type: 'query' }], now);
      return typeof now === 'object' && now !== null ? now : undefined;
    } catch (error) {
      if (problemOf(error)?.status === 404) return undefined;
      throw error;
    }
  }

  async function lastChange(now: object): Promise<Conflict['by']> {
    const resource_id = ['id', 'company_id', 'account_id'].flatMap((name) => textIn(now, name) ?? [])[0];
    if (resource_id === undefined) return undefined;
    const log = await trpc.activity.list.query({ resource_id, limit: LOGGED }).catch(() => undefined);
    return log?.data.find(({ action }) => partOf(action) === partOf(operation));
  }

  const check = useMutation({
    async mutationFn({ mine, names }: Omit<Replacement, 'input'>): Promise<Conflict | null> {
      const now = await readNow();
      if (now === undefined) return null;
      const changed = changedByOthers(known.current ?? {}, now, mine, names);
      return Object.keys(changed).length === 0 ? null : { now, changed, by: await lastChange(now) };
    },
  });
  /** The last save may have taken effect, which is no change by others; its idempotency key makes this one safe. */
  const isRetry = (input: object): boolean =>
    last.isError && problemOf(last.error)?.retryable !== false && hashKey([last.variables]) === hashKey([input]);

  return {
    conflict: check.data ?? undefined,
    isChecking: check.isPending,
    error: check.error,
    /** Saves if nobody else changed the fields `names`; else `conflict` says what. */
    guard: ({ input, ...replacement }: Replacement, save: () => void): void => {
      if (!Object.hasOwn(pathParameters, get) || isRetry(input)) save();
      else check.mutate(replacement, { onSuccess: (found) => found === null && save() });
    },
    /** The next check begins from the record that this one found. */
    accept: (): void => {
      if (check.data) known.current = check.data.now;
      check.reset();
    },
  };
}

interface ConflictNoticeProps {
  conflict: Conflict;
  operation: MutationId;
  fields?: Readonly<Record<string, { label?: string } | undefined>>;
  currency: string;
  onKeep: () => void;
  onDiscard: (() => void) | undefined;
}

export function ConflictNotice(props: ConflictNoticeProps): React.JSX.Element {
  const { conflict, operation, fields = {}, currency, onKeep, onDiscard } = props;
  const zone = useZone();
  const { by, changed } = conflict;
  const box = useRef<HTMLDivElement>(null);
  // The pressed button may be far below.
  useEffect(() => box.current?.focus(), [conflict]);
  const textOf = (field: CatalogueField): string => {
    const value = changed[field.name];
    if (field.unit === 'minor_units' && typeof value === 'number') return moneyText(value, currency);
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    const text = shownText(field, value, zone) || 'Empty';
    return field.type === 'enum' ? valueText(text) : text;
  };
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="flex flex-col gap-2 rounded-md border border-warn bg-warn-soft p-3 text-sm outline-none"
    >
      <p>
        {by === undefined ? (
          'This was changed while you edited it.'
        ) : (
          <>
            {visibleText(actorName(by.actor))} changed this while you edited it (
            <Instant at={by.created_at} seconds />
            ).
          </>
        )}{' '}
        Your changes aren’t saved yet. Stored now:
      </p>
      <dl className="flex flex-col gap-1">
        {Object.keys(changed).map((name) => {
          const field = catalogueFields[operation]?.[name];
          return (
            field && (
              <div key={name}>
                <dt className="font-medium">{fieldName(field, fields[name] ?? {})}</dt>
                <dd className="max-h-32 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
                  {visibleText(textOf(field))}
                </dd>
              </div>
            )
          );
        })}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onKeep}>
          Save mine instead
        </Button>
        {onDiscard && (
          <Button size="small" onClick={onDiscard}>
            Discard mine
          </Button>
        )}
      </div>
    </div>
  );
}
