import type { ReactNode } from 'react';

export interface MenuItem {
  label: string;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
}

export interface ActionMenuProps {
  label: string;
  items: readonly MenuItem[];
  children?: ReactNode;
}

/** What the button of a menu says, before and after the menu is there. */
export function triggerProps({ label, children }: ActionMenuProps) {
  return {
    'aria-label': children === undefined ? label : undefined,
    children: children ?? <span aria-hidden>⋯</span>,
  };
}
