import { plural, visibleText } from '../../lib/text.ts';

const SHOWN = 5;
const tones = { warn: 'border-warn bg-warn-soft text-warn', bad: 'border-bad bg-bad-soft text-bad' };

export interface TextListProps {
  tone: keyof typeof tones;
  title: string;
  texts: readonly string[];
}

export function TextList({ tone, title, texts }: TextListProps): React.JSX.Element | null {
  if (texts.length === 0) return null;
  return (
    <div className={`rounded-md border p-3 text-sm ${tones[tone]}`}>
      <p className="font-medium">{title}</p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {texts.slice(0, SHOWN).map((text) => (
          <li key={text}>{visibleText(text)}</li>
        ))}
      </ul>
      {texts.length > SHOWN && <p className="mt-1">and {plural(texts.length - SHOWN, 'more', 'more')}</p>}
    </div>
  );
}
