import { useQuery } from '@tanstack/react-query';
import { getUntypedClient } from '@trpc/client';
import { useContext } from 'react';
import { explain, fieldOf, problemOf, textIn } from '../../../lib/problem.ts';
import { useTRPCClient } from '../../../lib/trpc.ts';
import { pathParameters, recordKinds } from '../../../operation/records.catalogue.ts';
import { isRecordId, prefixOf, type Route, routeOf } from '../../record-link.tsx';
import { CompanyContext } from '../company-context.ts';

export type FoundRecord =
  | { state: 'none' | 'reading' }
  | { state: 'found'; noun: string; route: Route }
  | { state: 'missing'; text: string };

/** How long records are kept that the service deletes by itself, if the operator sets no other time. */
const kept: Readonly<Record<string, string>> = {
  evt: '; events are kept 90 days',
  dlv: '; deliveries are kept 90 days',
  req: '; requests are kept 30 days',
};

/** The page of the record with this id, after a read that tells whether the record exists. */
export function useRecord(id: string): FoundRecord {
  const company = useContext(CompanyContext);
  const api = getUntypedClient(useTRPCClient());
  const prefix = isRecordId(id) ? prefixOf(id) : '';
  const kind = Object.hasOwn(recordKinds, prefix) ? recordKinds[prefix] : undefined;
  const { operation, input, isOfCompany } = readOf(id, kind?.get, company?.id);
  const query = useQuery({
    queryKey: [operation.split('.'), { input, type: 'query' }],
    queryFn: () => api.query(operation, input),
    enabled: kind !== undefined,
  });
  if (kind === undefined) return { state: 'none' };
  if (query.error && problemOf(query.error)?.status !== 404) return { state: 'missing', text: explain(query.error) };
  if (query.isLoading) return { state: 'reading' };
  const stored = query.error ? undefined : recordIn(query.data);
  if (stored === undefined) {
    const where = isOfCompany && company ? ` in ${company.name}` : '';
    return { state: 'missing', text: `No ${kind.noun} with this ID${where}${kept[prefix] ?? ''}.` };
  }
  const route = routeOf({
    id,
    companyId: textIn(stored, 'company_id') ?? null,
    stored: fieldOf(stored, 'after') ?? stored,
  });
  return route === undefined
    ? { state: 'missing', text: `This ${kind.noun} has no page of its own.` }
    : { state: 'found', noun: kind.noun, route };
}

/** A kind without a read of its own is looked up in the activity log. */
function readOf(id: string, get: string | undefined, companyId: string | undefined) {
  if (get === undefined)
    return { operation: 'activity.list', input: { resource_id: id, limit: 1 }, isOfCompany: false };
  const parameters = pathParameters[get] ?? [];
  const input = Object.fromEntries(parameters.map((name, i) => [name, i === parameters.length - 1 ? id : companyId]));
  return { operation: get, input, isOfCompany: parameters.length > 1 };
}

/** The record, or the newest row of the log about it. */
function recordIn(output: unknown): object | undefined {
  const rows = fieldOf(output, 'data');
  const record: unknown = Array.isArray(rows) ? rows[0] : output;
  return typeof record === 'object' && record !== null ? record : undefined;
}
