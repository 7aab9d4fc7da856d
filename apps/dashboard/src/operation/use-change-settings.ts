import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useToast } from '../components/toast.tsx';
import { explain } from '../lib/problem.ts';
import { type Inputs, type Outputs, useTRPCClient } from '../lib/trpc.ts';
import { type OperationOptions, useOperation } from './use-operation.ts';

export type Settings = Outputs['financials']['settings']['get'];
export type SettingsChange = Omit<Inputs['financials']['settings']['update'], 'company_id'>;

/**
 * Changes lists of the financial settings, each of which is replaced as a whole: the change is computed from the lists
 * that are stored now, so that it keeps what others added or removed since the page read them.
 */
export function useChangeSettings(
  companyId: string,
  { quiet = false, ...options }: OperationOptions<'financials.settings.update'>,
): UseMutationResult<Settings, Error, (stored: Settings) => SettingsChange> {
  const api = useTRPCClient();
  const toast = useToast();
  const update = useOperation('financials.settings.update', { ...options, quiet: true });
  return useMutation({
    async mutationFn(change: (stored: Settings) => SettingsChange) {
      const stored = await api.financials.settings.get.query({ company_id: companyId });
      return update.mutateAsync({ company_id: companyId, ...change(stored) });
    },
    onError(error) {
      if (!quiet) toast.bad(explain(error));
    },
  });
}
