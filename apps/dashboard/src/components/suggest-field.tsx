import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import { useState } from 'react';
import { control, Field, type FieldProps } from './field.tsx';
import type { Entry } from './suggest-field.view.ts';
import { type Suggested, UNCHOSEN, useSuggestions } from './use-suggestions.ts';

export interface SuggestFieldProps extends FieldProps, Suggested {
  name?: string;
  required?: boolean;
  autoFocus?: boolean;
  maxLength?: number;
  placeholder?: string;
}

/** A text field whose value is chosen from a list, where a text that is not in it gets an entry that creates it. */
export function SuggestField(props: SuggestFieldProps): React.JSX.Element {
  const { label, hint, error, className, value, onChange, onFocus, suggestions, initial, onRestore, ...rest } = props;
  const { root, input, isLeft } = useSuggestions({ value, onChange, onFocus, suggestions, initial, onRestore });
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Field label={label} hint={hint} error={error ?? (isLeft ? UNCHOSEN : undefined)} className={className}>
      {(described) => (
        <Base.Root {...root} itemToStringValue={(entry: Entry) => entry.text} filter={null} openOnInputClick>
          <Base.Input autoComplete="off" {...rest} {...described} {...input} className={`${control} min-h-10`} />
          {/* Beside the field, so that the list is in the same dialog. */}
          <div ref={setPlace} />
          <Base.Portal container={place}>
            <Suggestions />
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}

function Suggestions(): React.JSX.Element {
  return (
    <Base.Positioner sideOffset={4} positionMethod="fixed" className="z-50">
      <Base.Popup className="w-(--anchor-width) rounded-lg border bg-surface shadow-lg">
        <Base.List className="max-h-[min(16rem,var(--available-height))] overflow-y-auto overscroll-contain py-1">
          {(entry: Entry) => (
            <Base.Item
              key={`${entry.isNew} ${entry.text}`}
              value={entry}
              className="cursor-pointer px-3 py-2 text-sm wrap-anywhere data-highlighted:bg-sunken"
            >
              {entry.isNew ? `Create “${entry.text}”` : entry.text}
            </Base.Item>
          )}
        </Base.List>
      </Base.Popup>
    </Base.Positioner>
  );
}
