import { sampleBody } from '../environment/sample-body.ts';

/** What a peer connects to. */
interface PeerPlace {
  readonly port: number;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** RabbitMQ, if the peer needs it. */
  readonly brokerUrl: string;
}

/** What differs between the peers. */
export interface Peer {
  readonly needsBroker: boolean;
  /** Environment variables of its programs. */
  readonly settings: (place: PeerPlace) => Readonly<Record<string, string>>;
  /** The program, with its arguments, that prepares the stores before the server starts. */
  readonly migration: (binary: string) => readonly [program: string, ...args: string[]];
  /** The log contains this once it has started. */
  readonly readyText: string;
  /** Responds with success once the API takes requests. */
  readonly healthPath: string;
  /** The bearer token of its API. */
  readonly token: (settings: Readonly<Record<string, string>>) => string;
  /** Creates a tenant with an endpoint for each URL, and returns its id. */
  readonly seed: (call: PeerCall, urls: readonly string[]) => Promise<string>;
  /** The request that posts an event, which is JSON text. */
  readonly post: (tenantId: string, event: string) => { readonly path: string; readonly body: string };
  /** The table with a row for each delivery that is over. */
  readonly attempts: string;
}

/** Sends a request to the API of a peer; returns the `id` of the response. */
export type PeerCall = (method: 'POST' | 'PUT', path: string, body: object) => Promise<string>;

export const eventType = 'bank.balance.updated';

const account = 'acct_01kgw3q2m8v7d5n0r4t6x9zabc';
const company = 'co_01kgw3q2m8v7d5n0r4t6x9zabc';

/** The n-th event of a series, like those that balance posts cause here. */
export function peerEvent(series: number, n: number): string {
  return sampleBody(`evt_${String(series).padStart(4, '0')}${String(n).padStart(22, '0')}`, account, company);
}
