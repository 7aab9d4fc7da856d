import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape, type TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { ApiRouter, TrpcContext } from './router.ts';
import { errorHeaders } from './trpc-error.ts';

/** One call by itself, not in a batch. */
export interface SingleCall {
  /** Names a procedure of the router. */
  path: string;
  type: 'query' | 'mutation';
  input: unknown;
  ctx: TrpcContext;
}

type OnError = (error: TRPCError) => void;

interface ProcedureResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
}

/**
 * Responds to one call as tRPC's fetch adapter would, which makes a Request, a Response and their streams for it: they cost
 * as much as half of a balance post. Errors are passed to `onError` and become responses; nothing is thrown.
 */
export async function callProcedure(router: ApiRouter, call: SingleCall, onError: OnError): Promise<ProcedureResponse> {
  const { path, type, input, ctx } = call;
  try {
    const procedure = { router, path, type, ctx, batchIndex: 0, signal: undefined };
    const data: unknown = await callTRPCProcedure({ ...procedure, getRawInput: async () => input });
    return { status: 200, headers: {}, body: JSON.stringify({ result: { data } }) };
  } catch (cause) {
    return errorResponse(router, call, cause, onError);
  }
}

/** The response to a request as a whole, which tRPC's clients take for the response to each of its calls. */
export function errorResponse(
  router: ApiRouter,
  { path, type, input, ctx }: SingleCall,
  cause: unknown,
  onError: OnError,
): ProcedureResponse {
  const error = getTRPCErrorFromUnknown(cause);
  onError(error);
  const shape = getTRPCErrorShape({ config: router._def._config, error, type, path, input, ctx });
  return {
    status: getHTTPStatusCodeFromError(error),
    headers: errorHeaders([error], type),
    body: JSON.stringify({ error: shape }),
  };
}
