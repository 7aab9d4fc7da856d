import type { Operations } from '@finhook/contracts';
import { Command } from 'commander';
import { plain } from '../clean-text.ts';
import type { OutputOf, Service } from './http-api.ts';
import { linesOf } from './output.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';

type Delivery = OutputOf<Operations['deliveries']['get']>;
type Attempt = Delivery['attempts'][number];

export function deliveriesWhyCommand(session: Session): Command {
  const command = new Command('why')
    .summary('Explain why a delivery has not arrived')
    .description('Explains the state of a delivery: its attempts, what the receiver returned, and what to do.')
    .argument('<delivery_id>');
  addServiceFlags(command);
  return command.action((id: string) => explain(id, command.opts(), session));
}

async function explain(id: string, flags: ServiceFlags, session: Session): Promise<void> {
  const { output } = session;
  const { service } = connect(session, flags);
  const { text, body: delivery } = await service.call<Delivery>('deliveries.get', { delivery_id: id });
  if (flags.json) return output.printJson(text);
  const url = await urlOf(service, delivery);
  const { event_type, event_id, endpoint_id, endpoint_status: state, attempts } = delivery;
  output.print(
    `${event_type} ${event_id} to ${url === null ? endpoint_id : `${plain(url)} (${endpoint_id})`}, ${state}`,
  );
  output.print(`Status: ${delivery.status}${delivery.reason === null ? '' : `. ${plain(delivery.reason)}`}`);
  if (delivery.waiting_for !== null) output.print(`Waits for: ${delivery.waiting_for.replaceAll('_', ' ')}`);
  if (delivery.next_attempt_at !== null) output.print(`Next attempt: ${delivery.next_attempt_at}`);
  const rows = attempts.map(({ n, at, status_code, error, error_code, duration_ms }) => ({
    n,
    at,
    status_code,
    error,
    error_code,
    duration_ms,
  }));
  for (const line of linesOf({ data: rows }, 120)) output.print(line);
  const last = attempts.at(-1);
  for (const line of [...(last ? causeOf(last) : []), ...adviceOf(delivery, url)]) output.print(line);
}

/** The endpoint's current URL; null if it was deleted or the key lacks the permission. */
async function urlOf(service: Service, { endpoint_id, endpoint_status }: Delivery): Promise<string | null> {
  if (endpoint_status === 'deleted') return null;
  const body: unknown = await service.call('webhookEndpoints.get', { endpoint_id }).then(
    (reply) => reply.body,
    () => null,
  );
  const url: unknown = Reflect.get(Object(body), 'url');
  return typeof url === 'string' ? url : null;
}

const MAX_HEADERS = 8;

function causeOf(attempt: Attempt): string[] {
  const { error_message: message, error_code: code, response_headers: headers, response_snippet: body } = attempt;
  const shown = code === null || message?.includes(code) === true ? '' : ` (${code})`;
  const names = Object.entries(headers ?? {}).slice(0, MAX_HEADERS);
  return [
    ...(message === null ? [] : [`The last attempt: ${plain(message)}${plain(shown)}`]),
    ...(names.length === 0 ? [] : [`Response headers: ${plain(names.map(([k, v]) => `${k}: ${v}`).join('; '))}`]),
    ...(body ? [`The last response: ${plain(body)}`] : []),
    ...(attempt.response_truncated ? ['The response was cut off before its body ended.'] : []),
  ];
}

function adviceOf(delivery: Delivery, url: string | null): string[] {
  const { id, attempts, status, event_id, event_type, endpoint_id, endpoint_status } = delivery;
  const last = attempts.at(-1);
  const isOpen = status !== 'succeeded' && status !== 'cancelled';
  const retry = `finhook deliveries retry ${id}`;
  const hasMoved = last?.url != null && url !== null && last.url !== url;
  const lines = last?.hint && isOpen ? [`What to do: ${last.hint}`] : [];
  if (endpoint_status === 'deleted' && status !== 'succeeded') {
    // A test event can't be redelivered.
    const again =
      last?.trigger === 'test'
        ? `finhook trigger ${event_type} --endpoint we_…`
        : `finhook events redeliver ${event_id} --endpoint-id we_…`;
    lines.push(`Its endpoint is deleted. Send the event to another one: ${again}`);
  } else if (isOpen && endpoint_status !== 'active') {
    lines.push(
      `Its endpoint is ${endpoint_status}. Activate it: finhook webhook-endpoints update ${endpoint_id} --status active`,
      status === 'failed' ? `Then try the delivery again: ${retry}` : 'Its waiting deliveries are sent then.',
    );
  } else if (isOpen) {
    const moved = hasMoved ? ' (the endpoint has another URL since the last attempt)' : '';
    lines.push(`Try it again now${moved}: ${retry}`);
  }
  if (last) lines.push(`The request as a curl command: finhook deliveries curl ${id} ${last.n}`);
  return lines;
}
