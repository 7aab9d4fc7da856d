import {
  type UseMutateFunction,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useToast } from '../ui/toast.tsx';
import { explain, problemOf } from '../data/problem.ts';

/** What `trpc.<procedure>.mutationOptions` takes from here: the context that carries the key. */
export interface OperationContext {
  trpc: { context: Record<string, unknown> };
}

interface OperationOptions<Output, Input> {
  /** Said when it went well. */
  done?: string | ((output: Output, input: Input) => string);
  onDone?: (output: Output, input: Input) => void;
  /** The form shows what is wrong at its fields: no message beside it. */
  quiet?: boolean;
}

/**
 * A change that the user makes once, however often the button is pressed or the connection fails: a try of which it is
 * not known whether it took effect is repeated under the same idempotency key, until something else was changed: what is
 * asked for then is meant anew. The same request again while it is under way is not sent. Says how it went. What it changed is read again through the stream.
 *
 * @example const pause = useOperation((ctx) => trpc.agents.pause.mutationOptions(ctx), { done: 'Paused.' });
 */
export function useOperation<Output, Failure, Input>(
  options: (context: OperationContext) => UseMutationOptions<Output, Failure, Input>,
  { done, onDone, quiet = false }: OperationOptions<Output, Input> = {},
): UseMutationResult<Output, Failure, Input, void> {
  const toast = useToast();
  const client = useQueryClient();
  // The try that may yet take effect: the same request again goes out under the same key, unless a change came between.
  const open = useRef<{ key: string; request: string; isOver: boolean } | undefined>(undefined);
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success' && open.current) open.current.isOver = true;
      }),
    [client],
  );
  const context: Record<string, unknown> = {
    get idempotencyKey() {
      return open.current?.key;
    },
  };
  const underWay = useRef(new Set<string>());
  const mutation = useMutation<Output, Failure, Input, void>({
    ...options({ trpc: { context } }),
    onMutate(input) {
      const request = JSON.stringify(input);
      if (open.current?.request === request && !open.current.isOver) return;
      open.current = { key: crypto.randomUUID(), request, isOver: false };
    },
    onSuccess(output, input) {
      open.current = undefined;
      const said = typeof done === 'function' ? done(output, input) : done;
      if (said !== undefined) toast.good(said);
      onDone?.(output, input);
    },
    onError(error) {
      if (problemOf(error)?.retryable === false) open.current = undefined;
      if (!quiet) toast.bad(explain(error));
    },
    onSettled(_output, _error, input) {
      underWay.current.delete(JSON.stringify(input));
    },
  });
  const { mutate: send } = mutation;
  const mutate: UseMutateFunction<Output, Failure, Input, void> = useCallback(
    (...call) => {
      const request = JSON.stringify(call[0]);
      if (underWay.current.has(request)) return;
      underWay.current.add(request);
      send(...call);
    },
    [send],
  );
  return { ...mutation, mutate };
}
