import { useState } from 'react';
import { sentenceCase } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { TextField } from '../../../components/field.tsx';
import type { FieldSlot } from '../../../operation/operation-form.tsx';
import { readPairs } from './endpoint-form.view.ts';

type Pairs = Readonly<Record<string, string>>;

export function pairsField(
  name: 'headers' | 'metadata',
  pairs: Pairs = {},
  texts: { noun: string; hint: string },
): FieldSlot {
  return {
    fold: 'Advanced',
    slot: (errorOf) => <PairsEditor name={name} pairs={pairs} {...texts} error={errorOf(name)} />,
    // The service stores header names in lower case.
    read: (data) => readPairs(data, name, (key) => (name === 'headers' ? key.toLowerCase() : key)),
  };
}

interface PairsEditorProps {
  name: string;
  noun: string;
  hint: string;
  pairs: Pairs;
  error: string | undefined;
}

function PairsEditor({ name, noun, hint, pairs, error }: PairsEditorProps): React.JSX.Element {
  const [rows, setRows] = useState(() =>
    Object.entries(pairs).map(([key, value]) => ({ id: crypto.randomUUID(), key, value })),
  );
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{sentenceCase(name)}</legend>
      <p className="text-xs text-muted">{hint}</p>
      {rows.map(({ id, key, value }, i) => (
        <div key={id} className="flex flex-wrap items-end gap-2">
          <TextField
            label={`Name of ${noun} ${i + 1}`}
            name={`${name}.name`}
            className="min-w-32 flex-1"
            defaultValue={key}
            spellCheck={false}
          />
          <TextField
            label={`Value of ${noun} ${i + 1}`}
            name={`${name}.value`}
            className="min-w-32 flex-1"
            defaultValue={value}
            spellCheck={false}
          />
          <Button
            variant="quiet"
            aria-label={`Remove ${noun} ${i + 1}`}
            onClick={() => setRows(rows.filter((row) => row.id !== id))}
          >
            Remove
          </Button>
        </div>
      ))}
      {error !== undefined && <p className="text-xs text-bad">{error}</p>}
      <div>
        <Button size="small" onClick={() => setRows([...rows, { id: crypto.randomUUID(), key: '', value: '' }])}>
          Add {noun}
        </Button>
      </div>
    </fieldset>
  );
}
