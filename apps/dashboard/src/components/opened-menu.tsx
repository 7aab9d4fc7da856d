import { Menu as Base } from '@base-ui/react/menu';
import { buttonClass } from './button.tsx';
import { type ActionMenuProps, triggerProps } from './menu.tsx';

const itemClass = 'cursor-pointer px-3 py-2 text-sm data-disabled:opacity-50 data-highlighted:bg-sunken';

export function OpenedMenu(props: ActionMenuProps): React.JSX.Element {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger {...triggerProps(props)} className={buttonClass('plain', 'small')} />
      <Base.Portal container={document.querySelector('main')}>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup className="min-w-44 rounded-lg border bg-surface py-1 shadow-lg">
            {props.items.map((item) =>
              item.href !== undefined ? (
                <Base.LinkItem key={item.label} href={item.href} download closeOnClick className={`${itemClass} block`}>
                  {item.label}
                </Base.LinkItem>
              ) : item.checked === undefined ? (
                <Base.Item
                  key={item.label}
                  disabled={item.disabled ?? false}
                  onClick={item.onSelect}
                  className={`${itemClass} ${item.danger === true ? 'text-bad' : ''}`}
                >
                  {item.label}
                </Base.Item>
              ) : (
                <Base.CheckboxItem
                  key={item.label}
                  disabled={item.disabled ?? false}
                  checked={item.checked}
                  onCheckedChange={item.onSelect}
                  className={`${itemClass} flex items-center gap-2`}
                >
                  <span aria-hidden className="w-4 shrink-0 text-accent">
                    <Base.CheckboxItemIndicator>✓</Base.CheckboxItemIndicator>
                  </span>
                  {item.label}
                </Base.CheckboxItem>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
