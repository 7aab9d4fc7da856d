import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

export interface Tab {
  id: string;
  title: string;
  content: ReactNode;
}

export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (id: string) => void;
}) {
  const shown = tabs.some(({ id }) => id === value) ? value : tabs[0]?.id;
  return (
    <Base.Root value={shown} onValueChange={(next) => onChange(String(next))} className="flex flex-col gap-4">
      <Base.List aria-label={label} className="flex gap-1 overflow-x-auto border-b">
        {tabs.map(({ id, title }) => (
          <Base.Tab
            key={id}
            value={id}
            className="border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-muted hover:text-text data-active:border-accent data-active:text-text"
          >
            {title}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className="flex flex-col gap-4">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
