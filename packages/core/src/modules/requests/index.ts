/** requests: the log of API requests, written in batches; a crash may lose some. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getRequest, listRequests } from './read.ts';

export const requests = { list: listRequests, get: getRequest } satisfies Handlers<typeof operations.requests>;
