import { Combobox as Base } from '@base-ui/react/combobox';
import { type ReactNode, useMemo, useRef } from 'react';
import { control } from './field.tsx';
import { type Choice, type FilterSeveralProps, triggerClass } from './filter-several.tsx';

interface OpenedSeveralProps extends FilterSeveralProps {
  names: { 'aria-labelledby': string };
  children: ReactNode;
}

export function OpenedSeveral({ label, values, onChange, choices, onOpen, names, children }: OpenedSeveralProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const items = useMemo(() => {
    const known = choices ?? [];
    const former = values.filter((value) => !known.some((choice) => choice.value === value));
    return Base.createItems([...former.map((value) => ({ value, label: value })), ...known], {
      getValue: (choice) => choice.value,
      getLabel: (choice) => choice.label,
    });
  }, [choices, values]);
  return (
    <Base.Root
      multiple
      defaultOpen
      items={items}
      value={[...values]}
      onValueChange={(next) => onChange(next)}
      onOpenChange={(isOpen) => isOpen && onOpen?.()}
    >
      <Base.Trigger ref={trigger} {...names} className={triggerClass}>
        {children}
      </Base.Trigger>
      <Base.Portal container={document.querySelector('main')}>
        <Base.Positioner sideOffset={4} align="start" className="z-50">
          <Base.Popup
            aria-label={label}
            // The button that was pressed first is no longer there.
            finalFocus={trigger}
            className="w-72 max-w-[90vw] rounded-lg border bg-surface p-2 shadow-lg"
          >
            <Base.Input
              aria-label={`Search ${label.toLowerCase()}`}
              placeholder="Search"
              className={`${control} min-h-9`}
            />
            <Base.Empty className="px-2 py-3 text-sm text-muted empty:hidden">
              {choices === undefined ? 'Loading…' : 'Nothing matches.'}
            </Base.Empty>
            <Base.List className="mt-2 max-h-72 overflow-y-auto overscroll-contain">
              {({ value, label: text }: Choice) => (
                <Base.Item
                  key={value}
                  value={value}
                  className="flex cursor-pointer items-center gap-2 rounded px-2 py-2 text-sm data-highlighted:bg-sunken"
                >
                  <span aria-hidden className="w-4 shrink-0 text-accent">
                    <Base.ItemIndicator>✓</Base.ItemIndicator>
                  </span>
                  <span className="min-w-0 wrap-anywhere">{text}</span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
