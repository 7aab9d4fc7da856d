import { Button } from '../../../components/button.tsx';
import { TextField } from '../../../components/field.tsx';
import { newPair, type Pair } from './endpoint-draft.view.ts';

export interface PairsEditorProps {
  title: string;
  noun: string;
  hint: string;
  pairs: readonly Pair[];
  onChange: (pairs: readonly Pair[]) => void;
  error?: string | undefined;
}

export function PairsEditor({ title, noun, hint, pairs, onChange, error }: PairsEditorProps): React.JSX.Element {
  const change = (key: string, part: Partial<Pair>): void =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...part } : pair)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{title}</legend>
      <p className="text-xs text-muted">{hint}</p>
      {pairs.map(({ key, name, value }, i) => (
        <div key={key} className="flex flex-wrap items-end gap-2">
          <TextField
            label={`Name of ${noun} ${i + 1}`}
            className="min-w-32 flex-1"
            value={name}
            spellCheck={false}
            onChange={(event) => change(key, { name: event.target.value })}
          />
          <TextField
            label={`Value of ${noun} ${i + 1}`}
            className="min-w-32 flex-1"
            value={value}
            spellCheck={false}
            onChange={(event) => change(key, { value: event.target.value })}
          />
          <Button
            variant="quiet"
            aria-label={`Remove ${noun} ${i + 1}`}
            onClick={() => onChange(pairs.filter((pair) => pair.key !== key))}
          >
            Remove
          </Button>
        </div>
      ))}
      {error !== undefined && <p className="text-xs text-bad">{error}</p>}
      <div>
        <Button size="small" onClick={() => onChange([...pairs, newPair()])}>
          Add {noun}
        </Button>
      </div>
    </fieldset>
  );
}
