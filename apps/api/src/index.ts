/**
 * @finhook/api: the HTTP process. Owns the protocols (tRPC, REST, OpenAPI, health) and everything before a verb:
 * authentication, limits, validation, idempotency, error documents. Contains no rule of the domain.
 */
export { type ApiEnv, apiEnv } from './env.ts';
export { type RunningApi, type StartOptions, startApi } from './start-api.ts';
