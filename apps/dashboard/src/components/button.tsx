import type { ComponentProps, MouseEvent, ReactNode } from 'react';

type Variant = 'primary' | 'plain' | 'quiet' | 'danger';

const variants: Record<Variant, string> = {
  primary: 'border-accent bg-accent text-on-accent hover:brightness-90',
  plain: 'border-line-strong bg-surface text-text hover:bg-sunken',
  quiet: 'border-transparent text-text hover:bg-sunken',
  danger: 'border-bad bg-surface text-bad hover:bg-bad-soft',
};

export function buttonClass(variant: Variant = 'plain', size: 'normal' | 'small' = 'normal'): string {
  const room = size === 'small' ? 'min-h-8 px-3 text-sm' : 'min-h-10 px-4 text-sm';
  return `inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap ${room} ${variants[variant]} disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50`;
}

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  variant?: Variant;
  size?: 'normal' | 'small';
  busy?: boolean;
  repeats?: boolean;
  children: ReactNode;
}

function ignore(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * Ignores the second click of a double click, which would undo the first where the button turns into its opposite.
 * Keyboard clicks have no click count.
 */
function once(onClick: ButtonProps['onClick']): ButtonProps['onClick'] {
  return (event) => (event.detail > 1 ? ignore(event) : onClick?.(event));
}

export function Button({
  variant,
  size,
  busy = false,
  repeats = false,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps): React.JSX.Element {
  return (
    <button
      type="button"
      {...rest}
      // Not `disabled`, which would remove the focus.
      aria-disabled={busy || undefined}
      onClick={busy ? ignore : repeats ? onClick : once(onClick)}
      aria-busy={busy || undefined}
      className={`${buttonClass(variant, size)} ${className}`}
    >
      {busy && (
        <span aria-hidden className="size-3 animate-spin rounded-full border-2 border-current border-r-transparent" />
      )}
      {children}
    </button>
  );
}
