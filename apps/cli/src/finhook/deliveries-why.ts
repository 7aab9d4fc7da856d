import { Command } from 'commander';
import { plain } from '../clean-text.ts';
import type { Service } from './http-api.ts';
import { linesOf } from './output.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';

interface Attempt {
  n: number;
  at: string;
  status_code: number | null;
  error: string | null;
  hint: string | null;
  duration_ms: number | null;
  response_snippet: string | null;
}

interface Delivery {
  id: string;
  status: string;
  event_id: string;
  event_type: string;
  endpoint_id: string;
  reason: string | null;
  waiting_for: string | null;
  next_attempt_at: string | null;
  attempts: readonly Attempt[];
}

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
  output.print(`${delivery.event_type} ${delivery.event_id} to ${await endpointOf(service, delivery)}`);
  output.print(`Status: ${delivery.status}${delivery.reason === null ? '' : `. ${plain(delivery.reason)}`}`);
  if (delivery.waiting_for !== null) output.print(`Waits for: ${delivery.waiting_for.replaceAll('_', ' ')}`);
  if (delivery.next_attempt_at !== null) output.print(`Next attempt: ${delivery.next_attempt_at}`);
  const rows = delivery.attempts.map(({ n, at, status_code, error, duration_ms }) => ({
    n,
    at,
    status_code,
    error,
    duration_ms,
  }));
  for (const line of linesOf({ data: rows }, 120)) output.print(line);
  const last = delivery.attempts.at(-1);
  if (last?.response_snippet) output.print(`The last response: ${plain(last.response_snippet)}`);
  for (const line of adviceOf(delivery)) output.print(line);
}

async function endpointOf(service: Service, { endpoint_id }: Delivery): Promise<string> {
  // A deleted endpoint can't be read any more.
  const body: unknown = await service.call('webhookEndpoints.get', { endpoint_id }).then(
    (reply) => reply.body,
    () => null,
  );
  const [url, status] = ['url', 'status'].map((name): unknown => Reflect.get(Object(body), name));
  return typeof url === 'string'
    ? `${plain(url)} (${endpoint_id}, ${String(status)})`
    : `${endpoint_id}, which is deleted`;
}

function adviceOf({ id, attempts, status }: Delivery): string[] {
  const last = attempts.at(-1);
  const isOpen = status !== 'succeeded' && status !== 'cancelled';
  return [
    ...(last?.hint && isOpen ? [`What to do: ${last.hint}`] : []),
    ...(isOpen ? [`Try it again now: finhook deliveries retry ${id}`] : []),
    ...(last ? [`The request as a curl command: finhook deliveries curl ${id} ${last.n}`] : []),
  ];
}
