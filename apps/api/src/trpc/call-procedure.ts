import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape, type TRPCError } from '@trpc/server';
import type { ApiRouter, TrpcContext } from './router.ts';
import { errorHeaders } from './trpc-error.ts';

export interface SingleCall {
  path: string;
  type: 'query' | 'mutation';
  input: unknown;
  ctx: TrpcContext;
}

type OnError = (error: TRPCError) => void;

interface ProcedureResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Responds to one call like tRPC's fetch adapter, without its Request, Response and streams, which cost half as much as
 * posting a balance. Errors are passed to `onError` and become responses; nothing is thrown.
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

/** The error response to a whole request, which tRPC clients apply to each of its calls. */
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
    status: shape.data.httpStatus,
    headers: errorHeaders([error], type),
    body: JSON.stringify({ error: shape }),
  };
}
