import type { ReactNode } from 'react';
import { DateField } from '../../components/date-field.tsx';
import { formText } from '../../components/form.tsx';
import { useZone } from '../../components/shell/company-context.ts';
import { useNow } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { explain } from '../../lib/problem.ts';
import { visibleText } from '../../lib/text.ts';
import { type Output, useTRPCClient } from '../../lib/trpc.ts';
import { instantOf, todayIn } from '../../lib/zoned-time.ts';
import type { ParsedValue } from '../../operation/field-values.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import { type ErrorOf, type FieldsOf, OperationForm } from '../../operation/operation-form.tsx';
import { useOperation } from '../../operation/use-operation.ts';
import type { Filing } from './calendar.view.ts';

/** A submission can be taken back for ten minutes. */
const REOPENABLE_MS = 10 * 60_000;

/** What the forms of a submission have in common: its fields, and a message that can undo it. */
function useSubmission(filing: Filing) {
  const zone = useZone();
  const toast = useToast();
  const client = useTRPCClient();
  const reopen = useOperation('filings.reopen', { done: 'Filing reopened.' });
  /** Only while nothing else changed the filing: another person may have reopened and submitted it since. */
  const takeBack = async ({ id, title, updated_at }: Output<'filings.submit'>): Promise<void> => {
    try {
      const stored = await client.filings.get.query({ filing_id: id });
      if (stored.updated_at === updated_at) reopen.mutate({ filing_id: id });
      else toast.bad(`${visibleText(title)} was not reopened, because it has changed since you submitted it.`);
    } catch (error) {
      toast.bad(explain(error));
    }
  };
  const fields: FieldsOf<'filings.submit'> = {
    confirmation_number: {},
    submitted_at: {
      slot: (errorOf: ErrorOf) => (
        <DateField
          label="Submitted on"
          name="submitted_on"
          required
          defaultValue={todayIn(zone)}
          max={todayIn(zone)}
          error={errorOf('submitted_at')}
        />
      ),
      read: (data: FormData) => readDay(data, zone),
    },
    notes: { label: 'Notes (optional)', initial: filing.notes ?? '' },
  };
  return {
    operation: 'filings.submit',
    fixed: { filing_id: filing.id },
    fields,
    onSubmitted: (output: Output<'filings.submit'>): void => {
      const { title, warnings = [] } = output;
      // The submission of another person is theirs to take back.
      if (warnings.length > 0) toast.good(`${visibleText(title)} was already submitted.`);
      else
        toast.good(`${visibleText(title)} marked as submitted.`, {
          label: 'Undo',
          forMs: REOPENABLE_MS,
          run: () => void takeBack(output),
        });
    },
  } as const;
}

/** Today is sent as now; noon of an earlier day. */
function readDay(data: FormData, zone: string): ParsedValue {
  const day = formText(data, 'submitted_on') ?? '';
  return { value: day === todayIn(zone) ? undefined : instantOf(`${day}T12:00`, zone) };
}

export function SubmitDialog({ filing, onClose }: { filing: Filing; onClose: () => void }): React.JSX.Element {
  const { onSubmitted, ...form } = useSubmission(filing);
  return (
    <OperationDialog
      {...form}
      title={`Mark ${visibleText(filing.title)} as submitted`}
      submit="Mark as submitted"
      onClose={onClose}
      onDone={onSubmitted}
    />
  );
}

export function SubmitForm({ filing, onDone }: { filing: Filing; onDone: () => void }): React.JSX.Element {
  const { onSubmitted, ...form } = useSubmission(filing);
  return (
    <Framed title="Mark as submitted">
      <OperationForm
        {...form}
        submit="Mark as submitted"
        onDone={(output) => {
          onDone();
          onSubmitted(output);
        }}
      >
        <p className="text-muted">
          You can reopen the filing for ten minutes after you mark it as submitted. After that, correct a mistake with a
          new filing.
        </p>
      </OperationForm>
    </Framed>
  );
}

export function ReopenForm({ filing }: { filing: Filing }): React.JSX.Element | null {
  const isOver = useNow() > Date.parse(filing.updated_at) + REOPENABLE_MS;
  if (isOver) return null;
  return (
    <Framed title="Reopen filing">
      <OperationForm
        operation="filings.reopen"
        submit="Reopen filing"
        done="Filing reopened."
        fixed={{ filing_id: filing.id }}
      >
        <p className="text-muted">
          Submitted by mistake? You can reopen the filing for ten minutes after you mark it as submitted. This removes
          its confirmation number.
        </p>
      </OperationForm>
    </Framed>
  );
}

function Framed({ title, children }: { title: string; children: ReactNode }): React.JSX.Element {
  return (
    <section aria-label={title} className="border-t pt-4">
      {children}
    </section>
  );
}
