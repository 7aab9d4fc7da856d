import { createContext } from 'react';

export const FormErrors = createContext<ReadonlyMap<string, string>>(new Map());

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isControl(element: Element): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/** Whitespace does not count as a value: it is trimmed before sending. */
function isBlank(control: Control): boolean {
  return control.required && control.value.trim() === '';
}

function describe(control: Control): string {
  const { validity } = control;
  if (validity.valueMissing || (validity.valid && isBlank(control)))
    return control instanceof HTMLSelectElement ? 'Select an option.' : 'This field is required.';
  if (validity.typeMismatch && control.type === 'url') return 'Enter a full URL, like https://example.com.';
  return control.validationMessage;
}

export function fieldErrorsOf(form: HTMLFormElement): ReadonlyMap<string, string> {
  const refused = [...form.elements].filter(isControl).filter((control) => !control.validity.valid || isBlank(control));
  return new Map(refused.filter(({ willValidate }) => willValidate).map((control) => [control.id, describe(control)]));
}

export function focusFirstError(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  for (let fold = field?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
  field?.focus();
  return field !== null;
}
