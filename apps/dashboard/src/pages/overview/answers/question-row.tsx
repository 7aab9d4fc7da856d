import type { ReactNode } from 'react';

/** A question with its buttons, or its link. */
export function QuestionRow({ text, children }: { text: ReactNode; children: ReactNode }): React.JSX.Element {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2 last:pb-0">
      <p className="min-w-0 grow basis-64 text-sm wrap-anywhere">{text}</p>
      {children}
    </li>
  );
}
