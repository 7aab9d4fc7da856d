import type { Environment } from '../environment/environment.ts';
import type { SeedEndpoint } from '../environment/seed-account.ts';
import type { Figure, ScenarioId } from '../report/figure.ts';

/** Measures one thing. */
export interface Scenario {
  readonly id: ScenarioId;
  run: (environment: Environment) => Promise<readonly Figure[]>;
}

/** Connections of the load generator to the api. */
export const apiConnections = 32;
/** Connections of the api to the database, as shipped: the bare statements get as many. */
export const apiPoolSize = 16;
/** Companies over which posts are spread. */
export const companies = 100;

/** Endpoints that each event goes to. */
export const endpointsOfEvent = 3;

/** Each event goes to three endpoints of the receiver. */
export function threeEndpoints({ receiver }: Environment): SeedEndpoint[] {
  return [1, 2, 3].map((n) => ({ url: `${receiver.url}/ok/${n}` }));
}
