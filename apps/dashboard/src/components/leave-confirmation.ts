import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';

/** `isDirty` is true while a form has typed text, which is lost with the form. `onInput` goes on an element around it. */
export function useTyped() {
  const form = useRef<HTMLFormElement>(null);
  return {
    isDirty: () => form.current?.isConnected === true,
    onInput: ({ target }: FormEvent): void => {
      form.current = target instanceof Element ? target.closest('form') : null;
    },
  };
}

/** Back, reload and closing the tab require a confirmation while something would be lost. */
export function useLeaveConfirmation(hasUnsaved: () => boolean): void {
  useBlocker({
    // Other navigations are the page's own: a record was created, or the session ended.
    shouldBlockFn: ({ action }) =>
      action !== 'PUSH' &&
      action !== 'REPLACE' &&
      hasUnsaved() &&
      !confirm('Leave this page? Anything you typed, or that is shown only once, will be lost.'),
    enableBeforeUnload: hasUnsaved,
  });
}
