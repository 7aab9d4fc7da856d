import type { Outputs } from '../../lib/trpc.ts';

type Grade = Outputs['financials']['freshness']['grade'];

const marks: Record<Grade, readonly [word: string, dot: string, text: string]> = {
  fresh: ['Fresh', 'bg-good', 'text-good'],
  late: ['Late', 'bg-warn', 'text-warn'],
  stale: ['Stale', 'bg-bad', 'text-bad'],
  never: ['Nothing received', 'bg-line-strong', 'text-muted'],
};

export function FreshnessMark({ grade }: { grade: Grade }): React.JSX.Element {
  const [word, dot, text] = marks[grade];
  return (
    <span className={`inline-flex items-center gap-1.5 text-xs font-medium ${text}`}>
      <span aria-hidden className={`size-2 rounded-full ${dot}`} />
      {word}
    </span>
  );
}
