import type { SeedEndpoint } from '../stage/seed-account.ts';
import type { Stage } from '../stage/stage.ts';

/** Connections of the load generator to the api. */
export const apiConnections = 32;
/** Connections of the api to the database, as shipped: the bare statements get as many. */
export const apiPoolSize = 16;
/** Companies over which posts are spread. */
export const companies = 100;

/** Endpoints that each event goes to. */
export const endpointsOfEvent = 3;

/** Each event goes to three endpoints of the receiver. */
export function threeEndpoints({ receiver }: Stage): SeedEndpoint[] {
  return [1, 2, 3].map((n) => ({ url: `${receiver.url}/ok/${n}` }));
}
