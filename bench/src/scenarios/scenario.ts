import type { Environment } from '../environment/environment.ts';
import type { SeedEndpoint } from '../environment/seed-account.ts';
import type { Figure, ScenarioId } from '../report/figure.ts';

export interface Scenario {
  readonly id: ScenarioId;
  run: (environment: Environment) => Promise<readonly Figure[]>;
}

/** Connections of the load generator to the api. */
export const apiConnections = 32;
/** The api's default connections to the database; the loads without HTTP have as many. */
export const apiPoolSize = 16;
/** Posts are spread over these. */
export const companies = 100;

/** Subscribed endpoints per event. */
export const endpointsOfEvent = 3;

/** Each event goes to three endpoints of the receiver. */
export function threeEndpoints({ receiver }: Environment): SeedEndpoint[] {
  return [1, 2, 3].map((n) => ({ url: `${receiver.url}/ok/${n}` }));
}
