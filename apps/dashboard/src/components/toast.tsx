import { Toast } from '@base-ui/react/toast';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

export interface Toasts {
  good(text: string): void;
  bad(text: string): void;
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
  const { toasts, add } = Toast.useToastManager();
  const value = useMemo<Toasts>(
    () => ({
      good: (text) => void add({ description: text, type: 'good', timeout: SUCCESS_MS }),
      bad: (text) => void add({ description: text, type: 'bad', timeout: ERROR_MS, priority: 'high' }),
    }),
    [add],
  );
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
              </Toast.Content>
              <Toast.Close aria-label="Dismiss" className="rounded px-1 leading-none hover:bg-sunken">
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
