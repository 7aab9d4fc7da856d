/** SQL that counts the deliveries of an event by how they stand, as JSON; `event` names the event's id. */
export function deliverySummary(event: string): string {
  return `(SELECT json_build_object(
     'total', count(*),
     'succeeded', count(*) FILTER (WHERE d.status = 'succeeded'),
     'pending', count(*) FILTER (WHERE d.status = 'pending'),
     'failed', count(*) FILTER (WHERE d.status = 'failed'),
     'cancelled', count(*) FILTER (WHERE d.status = 'cancelled')
   ) FROM delivery d WHERE d.event_id = ${event})`;
}
