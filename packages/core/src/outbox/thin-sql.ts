import { allEventTypes, eventDefinition } from '@finhook/contracts';

const forms = Object.fromEntries(
  allEventTypes.map((type) => {
    const sources = Object.entries(eventDefinition(type).thin.sources);
    return [type, sources.map(([name, source]) => [name, ...source])];
  }),
);

/**
 * SQL for the thin form of the event with the text `body`. A body that is not a column is read once per statement, and only
 * when an endpoint needs it.
 */
export const thinSql = (body: string): string => `(SELECT thin_event(${body}, '${JSON.stringify(forms)}'::jsonb))`;

/** The same for an event that is sent again: as it was sent before, whatever its form is today. */
export const thinAgainSql = (eventId: string, accountId: string): string => `(
  SELECT coalesce(
    (SELECT d.thin_body FROM delivery d WHERE d.event_id = b.id AND d.account_id = b.account_id AND d.thin_body IS NOT NULL LIMIT 1),
    ${thinSql('b.body')})
  FROM event b WHERE b.id = ${eventId} AND b.account_id = ${accountId} LIMIT 1)`;
