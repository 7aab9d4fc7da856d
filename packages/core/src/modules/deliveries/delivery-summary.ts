/** SQL that counts an event's deliveries by status, as JSON; `event` is SQL for the event's id. */
export function deliverySummary(event: string): string {
  return `(SELECT json_build_object(
     'total', count(*),
     'succeeded', count(*) FILTER (WHERE d.status = 'succeeded'),
     'pending', count(*) FILTER (WHERE d.status = 'pending'),
     'failed', count(*) FILTER (WHERE d.status = 'failed'),
     'cancelled', count(*) FILTER (WHERE d.status = 'cancelled')
   ) FROM delivery d WHERE d.event_id = ${event})`;
}
