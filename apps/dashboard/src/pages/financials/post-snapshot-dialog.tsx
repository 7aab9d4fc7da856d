import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { mapJsonSource, parseJson, rangeOf } from '../../lib/parse-json.ts';
import { type FieldError, fieldOf, problemOf } from '../../lib/problem.ts';
import type { Inputs, Outputs } from '../../lib/trpc.ts';
import { ConflictNotice, useConflict } from '../../operation/conflict.tsx';
import { useOperation } from '../../operation/use-operation.ts';
import { hasExampleFigures, snapshotText } from './snapshot-text.view.ts';
import type { Snapshot, StatementType } from './statement.view.ts';

type Posted = Outputs['financials']['snapshots']['upsert'];
type Input = Inputs['financials']['snapshots']['upsert'];

interface PostSnapshotDialogProps {
  onClose: () => void;
  begin: Snapshot | StatementType;
}

export function PostSnapshotDialog({ onClose, begin }: PostSnapshotDialogProps): React.JSX.Element {
  const isCorrection = typeof begin !== 'string';
  return (
    <Dialog
      open
      onClose={onClose}
      variant="side"
      title={isCorrection ? 'Correct statement' : 'Post statement'}
      description={
        isCorrection
          ? 'Replaces the whole statement. The previous version is kept.'
          : 'There is one statement per type and period end. Posting another replaces it; the previous version is kept.'
      }
    >
      <PostForm begin={begin} onClose={onClose} />
    </Dialog>
  );
}

function asInput(value: object): Input {
  return value as Input;
}

function readBody(text: string): { body: object } | { faults: readonly FieldError[] } {
  const parsed = parseJson(text);
  if ('fault' in parsed) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: [{ pointer: '', code: 'invalid_type', message: 'Enter a single JSON object.' }] };
  }
  if (hasExampleFigures(value)) {
    const message = 'contains the example figures. Replace them with your own.';
    return { faults: [{ pointer: '/line_items', code: 'example_figures', message }] };
  }
  return { body: value };
}

const operation = 'financials.snapshots.upsert';
/** A correction replaces them all. */
const replaced = ['period_start', 'currency', 'source', 'totals', 'line_items'];

function PostForm({ begin, onClose }: PostSnapshotDialogProps): React.JSX.Element {
  const company = useCompany();
  const post = useOperation(operation, { quiet: true });
  const [text, setText] = useState(() => snapshotText(begin, company.base_currency));
  const [sent, setSent] = useState(text);
  const [unsent, setUnsent] = useState<readonly FieldError[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);
  const isExample = typeof begin === 'string';
  const corrected = isExample ? undefined : begin;
  const fixed = { company_id: company.id };
  const { conflict, guard, accept, ...checked } = useConflict({ operation, fixed, before: corrected, last: post });
  const refused = problemOf(post.error)?.errors ?? [];
  const faults = unsent.length > 0 ? unsent : refused;
  function submit(): void {
    const read = readBody(text);
    setSent(text);
    setUnsent('faults' in read ? read.faults : []);
    if ('faults' in read) return;
    const input = asInput({ ...read.body, ...fixed });
    const save = (): void => post.mutate(input);
    // With another period, the text is another statement.
    const isSame = (['statement_type', 'period_end'] as const).every(
      (name) => corrected?.[name] === fieldOf(read.body, name),
    );
    if (isSame) guard({ input, mine: read.body, names: replaced }, save);
    else save();
  }
  if (post.data) return <PostResult posted={post.data} onClose={onClose} />;
  return (
    <Form
      submit={isExample ? 'Post statement' : 'Correct statement'}
      onSubmit={submit}
      onCancel={onClose}
      busy={checked.isChecking || post.isPending}
      error={faults.length > 0 ? undefined : (checked.error ?? post.error)}
    >
      {conflict && (
        <ConflictNotice
          conflict={conflict}
          operation={operation}
          currency={company.base_currency}
          onKeep={() => {
            accept();
            submit();
          }}
          onDiscard={onClose}
        />
      )}
      {faults.length > 0 && <Faults faults={faults} text={sent} area={area} />}
      <TextArea
        ref={area}
        label="Statement as JSON"
        hint={`${isExample ? 'Replace the example with your own period and figures. ' : ''}Amounts are integers in minor units (cents). In line items, costs are negative; liabilities and equity are positive.`}
        rows={22}
        spellCheck={false}
        style={{ fontFamily: 'var(--font-mono)', fontSize: 'var(--text-sm)', whiteSpace: 'pre', overflowX: 'auto' }}
        value={text}
        aria-invalid={faults.length > 0 || undefined}
        onChange={(event) => setText(event.target.value)}
      />
    </Form>
  );
}

interface FaultsProps {
  faults: readonly FieldError[];
  text: string;
  area: React.RefObject<HTMLTextAreaElement | null>;
}

function Faults({ faults, text, area }: FaultsProps): React.JSX.Element {
  const places = faults.some(({ code }) => code === 'malformed_json') ? undefined : mapJsonSource(text);
  return (
    <div role="alert" className="rounded-md border border-bad bg-bad-soft p-3 text-sm text-bad">
      <p>Not saved. Fix these errors and post again:</p>
      <ul className="mt-2 flex flex-col gap-1">
        {faults.map(({ pointer, message }) => {
          const place = places && rangeOf(places, pointer);
          return (
            <li key={`${pointer} ${message}`} className="flex flex-wrap items-baseline gap-x-2">
              {place && (
                <Button
                  size="small"
                  onClick={() => {
                    area.current?.focus();
                    area.current?.setSelectionRange(place.start, place.end);
                  }}
                >
                  Line {place.line}
                </Button>
              )}
              {pointer !== '' && <code className="wrap-anywhere">{pointer}</code>}
              <span className="min-w-0 wrap-anywhere">{message}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const results: Readonly<Record<Posted['result'], string>> = {
  created: 'Statement posted.',
  replaced: 'Correction posted. The previous version is kept.',
  unchanged: 'No changes, so no new version.',
};

function PostResult({ posted, onClose }: { posted: Posted; onClose: () => void }): React.JSX.Element {
  const navigate = useNavigate({ from: '/financials' });
  const failed = posted.checks.filter(({ status }) => status === 'warn');
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p role="status" className="font-medium">
        {results[posted.result]} Current version: {posted.revision}.
      </p>
      {posted.warnings.length > 0 && (
        <section aria-label="Warnings">
          <h3 className="font-semibold">Warnings</h3>
          <ul className="mt-1 list-disc pl-5">
            {posted.warnings.map(({ code, pointer, message }) => (
              <li key={`${code} ${pointer ?? ''} ${message}`}>
                {pointer !== undefined && <code className="wrap-anywhere">{pointer}</code>} {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {failed.length > 0 && (
        <section aria-label="Failed checks">
          <h3 className="font-semibold">Failed checks</h3>
          <ul className="mt-1 list-disc pl-5">
            {failed.map(({ id, name, message }) => (
              <li key={id}>
                {id} {name}: {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex justify-end">
        <Button
          variant="primary"
          onClick={() => {
            onClose();
            void navigate({
              search: (now) => ({ ...now, type: posted.statement_type, snapshot: posted.id, compare: undefined }),
            });
          }}
        >
          View statement
        </Button>
      </div>
    </div>
  );
}
