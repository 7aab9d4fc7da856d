import type { ComponentProps } from 'react';
import { TextField } from '../components/field.tsx';
import { formText } from '../components/form.tsx';
import { UPPER } from './field-values.ts';
import type { FieldSlot } from './operation-form.tsx';

type Options = Omit<ComponentProps<typeof TextField>, 'label' | 'name' | 'error'>;
type Part = readonly [name: string, label: string, options?: Options];

/** A text control for each part of an object. The service reports a required part that is empty. */
export function objectField(field: string, parts: readonly Part[]): Required<Pick<FieldSlot, 'slot' | 'read'>> {
  return {
    slot: (errorOf) =>
      parts.map(([name, label, options]) => {
        const path = `${field}/${name}`;
        return <TextField key={name} label={label} name={path} error={errorOf(path)} {...options} />;
      }),
    read: (data) => ({
      value: Object.fromEntries(
        parts.map(([name, , options]) => {
          const text = formText(data, `${field}/${name}`) ?? (options?.required === true ? '' : undefined);
          if (text !== undefined && options?.type === 'number') return [name, Number(text)];
          return [name, UPPER.has(name) ? text?.toUpperCase() : text];
        }),
      ),
    }),
  };
}
