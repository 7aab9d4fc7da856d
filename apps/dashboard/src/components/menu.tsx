import { lazy, Suspense, useState } from 'react';
import { buttonClass } from './button.tsx';
import { type ActionMenuProps, triggerProps } from './menu-trigger.tsx';

const load = () => import('./opened-menu.tsx');
const OpenedMenu = lazy(() => load().then((module) => ({ default: module.OpenedMenu })));

/** A menu of further actions, whose code loads on first use. */
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
