import { lazy, type ReactNode, Suspense, useState } from 'react';
import { buttonClass } from './button.tsx';

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

const load = () => import('./opened-menu.tsx');
const OpenedMenu = lazy(() => load().then((module) => ({ default: module.OpenedMenu })));

/** What the button of a menu says, before and after the menu is there. */
export function triggerProps({ label, children }: ActionMenuProps) {
  return {
    'aria-label': children === undefined ? label : undefined,
    children: children ?? <span aria-hidden>⋯</span>,
  };
}

/** What else can be done with something: a button that opens a list of actions, which is loaded when it is first used. */
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
