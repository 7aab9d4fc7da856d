import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import { useState } from 'react';
import { control, Field, type FieldProps } from './field.tsx';

export interface SuggestFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  /** What the field suggests; any other text is valid, too. */
  suggestions: readonly string[];
  /** Suggests everything while it has this text, which it began with. */
  initial?: string;
  name?: string;
  required?: boolean;
  maxLength?: number;
  placeholder?: string;
}

/** A text field with suggestions. */
export function SuggestField(props: SuggestFieldProps): React.JSX.Element {
  const { label, hint, error, className, value, onChange, suggestions, initial = '', ...rest } = props;
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const matches = (item: string, query: string): boolean =>
    query === initial || item.toLowerCase().includes(query.trim().toLowerCase());
  const isShown = isOpen && suggestions.some((item) => matches(item, value));
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(described) => (
        <Base.Root
          items={suggestions}
          value={value}
          onValueChange={onChange}
          filter={matches}
          openOnInputClick
          // An open list hides everything else from screen readers, also if it is empty.
          open={isShown}
          onOpenChange={setOpen}
        >
          <Base.Input
            autoComplete="off"
            {...rest}
            {...described}
            // Suggestions that arrive later don't open it.
            onBlur={() => isShown || setOpen(false)}
            className={`${control} min-h-10`}
          />
          {/* Beside the field, so that the list is in the same dialog. */}
          <div ref={setPlace} />
          <Base.Portal container={place}>
            <Base.Positioner sideOffset={4} positionMethod="fixed" className="z-50">
              <Base.Popup className="w-(--anchor-width) rounded-lg border bg-surface shadow-lg">
                <Base.List className="max-h-64 overflow-y-auto overscroll-contain py-1">
                  {(item: string) => (
                    <Base.Item
                      key={item}
                      value={item}
                      className="cursor-pointer px-3 py-2 text-sm wrap-anywhere data-highlighted:bg-sunken"
                    >
                      {item}
                    </Base.Item>
                  )}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}
