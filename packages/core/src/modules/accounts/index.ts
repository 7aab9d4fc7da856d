/** accounts: accounts, API keys and who a request comes from. */
export { Account } from './account.entity.ts';
export { ApiKey } from './api-key.entity.ts';
export { type Authenticator, createAuthenticator, findKnownKey } from './authenticate.ts';
export { callerContext } from './caller-context.ts';
export { createAccountKey, type NewAccountKey } from './create-account-key.ts';
export { createApiKey } from './create-api-key.ts';
export { createDenialLog, type Denial, type DenialLog } from './denial-log.ts';
export { getApiKey } from './find-api-key.ts';
export { getMe } from './get-me.ts';
export { assertMayEnd } from './key-authority.ts';
export { generateKey, hashKey } from './key-format.ts';
export {
  KeyRefused,
  type KeyRow,
  type KnownKey,
  keyColumns,
  type Principal,
  refuseEnded,
  toKnownKey,
} from './known-key.ts';
export { listApiKeys } from './list-api-keys.ts';
export { mintKey } from './mint-key.ts';
export { type NewAccount, type OpenedAccount, openAccount } from './open-account.ts';
export { personKeys } from './person-keys.ts';
export { revokeApiKey } from './revoke-api-key.ts';
export { endOverlaps, rotateApiKey } from './rotate-api-key.ts';
