import type { OperationId } from '@finhook/contracts/catalogue';
import { type UseMutateFunction, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { getUntypedClient } from '@trpc/client';
import { useCallback, useEffect, useRef } from 'react';
import { useToast } from '../components/toast.tsx';
import { explain, problemOf } from '../lib/problem.ts';
import { type Input, type Output, useTRPCClient } from '../lib/trpc.ts';
import { secrets } from './operations.catalogue.ts';

export interface OperationOptions<Id extends OperationId> {
  done?: string | ((output: Output<Id>, input: Input<Id>) => string | undefined) | undefined;
  onDone?: ((output: Output<Id>, input: Input<Id>) => void) | undefined;
  onError?: ((error: Error) => void) | undefined;
  quiet?: boolean;
}

function asOutput<Id extends OperationId>(output: unknown): Output<Id> {
  return output as Output<Id>;
}

/**
 * A mutation that takes effect once: a request whose effect is unknown is retried with the same idempotency key, and one
 * in flight is not sent again. `createRefetchChanged` refetches the changed data.
 * @example const pause = useOperation('agents.pause', { done: 'Agent paused.' });
 */
export function useOperation<Id extends OperationId>(
  id: Id,
  { done, onDone, onError, quiet = false }: OperationOptions<Id> = {},
): UseMutationResult<Output<Id>, Error, Input<Id>, void> {
  const toast = useToast();
  const queryClient = useQueryClient();
  const api = getUntypedClient(useTRPCClient());
  // The last request whose effect is unknown: repeating it reuses the key, unless another change succeeded since.
  const open = useRef<{ key: string; request: string; isOver: boolean } | undefined>(undefined);
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success' && open.current) open.current.isOver = true;
      }),
    [queryClient],
  );
  const inFlight = useRef(new Set<string>());
  const mutation = useMutation<Output<Id>, Error, Input<Id>, void>({
    mutationKey: [id],
    ...(secrets.includes(id) && { gcTime: 0 }),
    mutationFn: async (input) =>
      asOutput<Id>(await api.mutation(id, input, { context: { idempotencyKey: open.current?.key } })),
    onMutate(input) {
      const request = JSON.stringify(input);
      if (open.current?.request === request && !open.current.isOver) return;
      open.current = { key: crypto.randomUUID(), request, isOver: false };
    },
    onSuccess(output, input) {
      open.current = undefined;
      const message = typeof done === 'function' ? done(output, input) : done;
      if (message !== undefined) toast.good(message);
      onDone?.(output, input);
    },
    onError(error) {
      if (problemOf(error)?.retryable === false) open.current = undefined;
      if (!quiet) toast.bad(explain(error));
      onError?.(error);
    },
    onSettled(_output, _error, input) {
      inFlight.current.delete(JSON.stringify(input));
    },
  });
  const { mutate: send } = mutation;
  const mutate: UseMutateFunction<Output<Id>, Error, Input<Id>, void> = useCallback(
    (...call) => {
      const request = JSON.stringify(call[0]);
      if (inFlight.current.has(request)) return;
      inFlight.current.add(request);
      send(...call);
    },
    [send],
  );
  return { ...mutation, mutate };
}
