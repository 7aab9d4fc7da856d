import { Toast } from '@base-ui/react/toast';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { buttonClass } from './button.tsx';

interface ToastAction {
  label: string;
  run: () => void;
  /** How long it is offered. */
  forMs: number;
}

export interface Toasts {
  good(text: string, action?: ToastAction): void;
  bad(text: string, action?: ToastAction): void;
}

const ToastContext = createContext<Toasts | undefined>(undefined);

export function useToast(): Toasts {
  const toasts = useContext(ToastContext);
  if (!toasts) throw new Error('There is no toast provider above this component.');
  return toasts;
}

const SUCCESS_MS = 5_000;
/** Errors stay until the user closes them or this time passes. */
const ERROR_MS = 20_000;

function Messages({ children }: { children: ReactNode }): React.JSX.Element {
  const { toasts, add, close } = Toast.useToastManager();
  const value = useMemo<Toasts>(() => {
    function show(toast: { type: 'good' | 'bad'; description: string; timeout: number }, action?: ToastAction): void {
      const id = add({
        ...toast,
        // One of high priority hides its buttons from screen readers until the focus is in it.
        ...(toast.type === 'bad' && !action && { priority: 'high' }),
        ...(action && { timeout: action.forMs }),
        actionProps: action && {
          children: action.label,
          onClick: () => {
            close(id);
            action.run();
          },
        },
      });
    }
    return {
      good: (description, action) => show({ type: 'good', description, timeout: SUCCESS_MS }, action),
      bad: (description, action) => show({ type: 'bad', description, timeout: ERROR_MS }, action),
    };
  }, [add, close]);
  return (
    <ToastContext value={value}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-50 flex flex-col gap-2 sm:left-auto sm:w-96 print:hidden">
          {toasts.map((toast) => (
            <Toast.Root
              key={toast.id}
              toast={toast}
              aria-label={toast.type === 'bad' ? 'Error' : 'Notification'}
              className={`flex items-start gap-3 rounded-lg border p-3 shadow-lg ${
                toast.type === 'bad' ? 'border-bad bg-bad-soft text-bad' : 'border-line bg-surface text-text'
              }`}
            >
              <Toast.Content className="min-w-0 flex-1">
                <Toast.Description className="text-sm wrap-anywhere" />
                {/* Tab stays in an open dialog. */}
                {toast.actionProps && (
                  <p className="text-xs text-muted pointer-coarse:hidden">Press F6 to reach this message.</p>
                )}
              </Toast.Content>
              <Toast.Action className={buttonClass('plain', 'small')} />
              <Toast.Close aria-label="Dismiss" className="size-6 shrink-0 rounded leading-none hover:bg-sunken">
                ×
              </Toast.Close>
            </Toast.Root>
          ))}
        </Toast.Viewport>
      </Toast.Portal>
    </ToastContext>
  );
}

export function ToastProvider({ children }: { children: ReactNode }): React.JSX.Element {
  return (
    <Toast.Provider limit={4}>
      <Messages>{children}</Messages>
    </Toast.Provider>
  );
}
