import { Instant } from '../../../components/time.tsx';
import type { Note } from './endpoint-health.view.ts';

export function HealthNotes({ notes }: { notes: readonly Note[] }): React.JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm [&_time]:whitespace-normal">
      {notes.map(({ text, at }) => (
        <li key={text}>
          {text}
          {at !== undefined && (
            <>
              {' '}
              <Instant at={at} seconds />.
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
