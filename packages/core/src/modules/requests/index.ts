/** requests: the log of requests to the API. The api notes them; they are written in batches and may be lost. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getRequest, listRequests } from './read.ts';

export const requests = { list: listRequests, get: getRequest } satisfies Handlers<typeof operations.requests>;
