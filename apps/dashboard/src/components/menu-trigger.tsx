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

/** The attributes of a menu's button, shared by both versions of the menu. */
export function triggerProps({ label, children }: ActionMenuProps) {
  return {
    'aria-label': children === undefined ? label : undefined,
    children: children ?? <span aria-hidden>⋯</span>,
  };
}
