import { useId } from 'react';
import { Button } from '../../../components/button.tsx';
import { Options, SelectField, TextArea, TextField } from '../../../components/field.tsx';
import { RadioList } from './events-picker.tsx';
import {
  type ConditionDraft,
  conditionOps,
  draftFilter,
  type FilterDraft,
  kindsOf,
  newCondition,
  readFilter,
} from './payload-filter.view.ts';

interface FilterEditorProps {
  draft: FilterDraft;
  onChange: (draft: FilterDraft) => void;
  fields: readonly string[];
  error?: string | undefined;
}

const modes = [
  ['none', 'No filter'],
  ['builder', 'Only events that match conditions'],
  ['json', 'Filter as JSON'],
] as const;

/** Converts the draft to the other mode, without loss where both can express it. */
function inMode(draft: FilterDraft, mode: FilterDraft['mode']): FilterDraft {
  const read = readFilter(draft);
  const filter = 'value' in read ? read.value : null;
  if (typeof filter !== 'object' || filter === null) return { ...draft, mode };
  const shown = draftFilter(filter);
  if (mode === 'json') return { ...draft, mode, json: shown.json };
  return mode === shown.mode ? shown : { ...draft, mode };
}

export function FilterEditor({ draft, onChange, fields, error }: FilterEditorProps): React.JSX.Element {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Payload filter</legend>
      <RadioList value={draft.mode} onChange={(mode) => onChange(inMode(draft, mode))} choices={modes} />
      {draft.mode === 'builder' && <Builder draft={draft} onChange={onChange} fields={fields} />}
      {draft.mode === 'json' && (
        <TextArea
          label="Filter"
          rows={8}
          spellCheck={false}
          value={draft.json}
          onChange={(event) => onChange({ ...draft, json: event.target.value })}
          hint="Combine conditions with all, any and not, up to three levels deep."
        />
      )}
      {error !== undefined && <p className="text-xs text-bad">{error}</p>}
    </fieldset>
  );
}

function Builder({ draft, onChange, fields }: Omit<FilterEditorProps, 'error'>): React.JSX.Element {
  const list = useId();
  const { conditions } = draft;
  const setConditions = (next: readonly ConditionDraft[]): void => onChange({ ...draft, conditions: next });
  return (
    <div className="flex flex-col gap-3 rounded-md border p-3">
      <datalist id={list}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      {conditions.length > 1 && (
        <SelectField
          label="Send events that match"
          value={draft.match}
          onChange={(event) => onChange({ ...draft, match: event.target.value === 'any' ? 'any' : 'all' })}
        >
          <option value="all">all of the conditions</option>
          <option value="any">any of the conditions</option>
        </SelectField>
      )}
      {conditions.map((condition, i) => (
        <ConditionRow
          key={condition.key}
          condition={condition}
          number={i + 1}
          list={list}
          onChange={(next) => setConditions(conditions.map((other) => (other.key === next.key ? next : other)))}
          onRemove={() => setConditions(conditions.filter(({ key }) => key !== condition.key))}
        />
      ))}
      <div>
        <Button size="small" onClick={() => setConditions([...conditions, newCondition()])}>
          Add condition
        </Button>
      </div>
    </div>
  );
}

interface ConditionRowProps {
  condition: ConditionDraft;
  number: number;
  list: string;
  onChange: (next: ConditionDraft) => void;
  onRemove: () => void;
}

function ConditionRow({ condition, number, list, onChange, onRemove }: ConditionRowProps): React.JSX.Element {
  const kinds = kindsOf(condition.op);
  const set = (part: Partial<ConditionDraft>): void => {
    const next = { ...condition, ...part };
    const [first = 'text'] = kindsOf(next.op);
    onChange(kindsOf(next.op).includes(next.kind) ? next : { ...next, kind: first });
  };
  const typed = condition.kind === 'text' || condition.kind === 'number';
  return (
    <div role="group" aria-label={`Condition ${number}`} className="flex flex-wrap items-end gap-2">
      <TextField
        label="Field"
        list={list}
        spellCheck={false}
        className="min-w-40 flex-2"
        value={condition.field}
        onChange={(event) => set({ field: event.target.value })}
      />
      <SelectField
        label="Comparison"
        className="min-w-32 flex-1"
        value={condition.op}
        onChange={(event) => set({ op: conditionOps.find(([op]) => op === event.target.value)?.[0] ?? 'eq' })}
      >
        <Options values={conditionOps} />
      </SelectField>
      <SelectField
        label="Type"
        className="min-w-24"
        value={condition.kind}
        onChange={(event) => set({ kind: kinds.find((kind) => kind === event.target.value) ?? 'text' })}
      >
        <Options values={kinds.map((kind) => [kind, kind])} />
      </SelectField>
      {typed && (
        <TextField
          label={condition.op === 'in' ? 'Values (comma-separated)' : 'Value'}
          className="min-w-32 flex-1"
          value={condition.text}
          inputMode={condition.kind === 'number' ? 'decimal' : 'text'}
          onChange={(event) => set({ text: event.target.value })}
        />
      )}
      <Button variant="quiet" aria-label={`Remove condition ${number}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}
