import { lazy, type ReactNode, Suspense, useState } from 'react';
import { buttonClass } from './button.tsx';

interface MenuItem {
  label: string;
  onSelect?: () => void;
  /** The item is a link to a file. */
  href?: string;
  danger?: boolean;
  disabled?: boolean;
  /** The item is a setting that is on or off. */
  checked?: boolean;
}

export interface ActionMenuProps {
  label: string;
  items: readonly MenuItem[];
  children?: ReactNode;
}

export function triggerProps({ label, children }: ActionMenuProps) {
  return {
    'aria-label': children === undefined ? label : undefined,
    children: children ?? <span aria-hidden>⋯</span>,
  };
}

const load = () => import('./opened-menu.tsx');
const OpenedMenu = lazy(() => load().then((module) => ({ default: module.OpenedMenu })));

export function ActionMenu(props: ActionMenuProps): React.JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const button = (
    <button
      type="button"
      {...triggerProps(props)}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setUsed(true)}
      className={buttonClass('plain', 'small')}
    />
  );
  return isUsed ? (
    <Suspense fallback={button}>
      <OpenedMenu {...props} />
    </Suspense>
  ) : (
    button
  );
}
