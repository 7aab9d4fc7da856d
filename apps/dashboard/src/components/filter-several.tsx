import { lazy, Suspense, useId, useState } from 'react';
import { control } from './field.tsx';

export interface Choice {
  value: string;
  label: string;
}

export interface FilterSeveralProps {
  label: string;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  /** Undefined while they load. Values that are not among them stay chosen. */
  choices: readonly Choice[] | undefined;
  /** Called when the list is about to open, so that its choices need not be read before. */
  onOpen?: () => void;
}

export const triggerClass = `${control} flex min-h-10 items-center justify-between gap-2 text-left`;

/** The text of the closed control. */
function chosenText(values: readonly string[], labelOf: (value: string) => string): string {
  const [first, ...others] = values;
  if (first === undefined) return 'Any';
  return others.length === 0 ? labelOf(first) : `${values.length} selected`;
}

const load = () => import('./opened-several.tsx');
const OpenedSeveral = lazy(() => load().then((module) => ({ default: module.OpenedSeveral })));

/** A filter for any of several values, with a search. The list loads when it is used first. */
export function FilterSeveral(props: FilterSeveralProps): React.JSX.Element {
  const { label, values, choices, onOpen } = props;
  const id = useId();
  const [isUsed, setUsed] = useState(false);
  const text = chosenText(values, (value) => choices?.find((choice) => choice.value === value)?.label ?? value);
  const names = { 'aria-labelledby': `${id}-label ${id}-value` };
  const content = (
    <>
      <span id={`${id}-value`} className="truncate">
        {text}
      </span>
      <span aria-hidden className="text-muted">
        ▾
      </span>
    </>
  );
  const button = (
    <button
      type="button"
      {...names}
      aria-haspopup="listbox"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => {
        onOpen?.();
        setUsed(true);
      }}
      className={triggerClass}
    >
      {content}
    </button>
  );
  return (
    <div className="flex w-44 flex-col gap-1">
      <span id={`${id}-label`} className="text-sm font-medium">
        {label}
      </span>
      {isUsed ? (
        <Suspense fallback={button}>
          <OpenedSeveral {...props} names={names}>
            {content}
          </OpenedSeveral>
        </Suspense>
      ) : (
        button
      )}
    </div>
  );
}
