import type { Step } from '../../step.ts';
import { dayOf } from '../../values.ts';
import { type DateFormat, dateFormats } from './mapping.ts';
import { fold } from './names.ts';

/** English, German, French, Spanish, Italian, Dutch, Portuguese, Polish and the Nordic languages. */
const months: ReadonlyArray<readonly string[]> = [
  'january januar janner jaenner janvier enero gennaio januari janeiro stycznia styczen',
  'february februar feber fevrier febrero febbraio februari fevereiro lutego luty',
  'march marz maerz mrz mars marzo maart mrt marco marca marzec marts',
  'april avril abril aprile kwietnia kwiecien',
  'may mai mayo maggio mei maio maja maj',
  'june juni juin junio giugno junho czerwca czerwiec jun',
  'july juli juillet julio luglio julho lipca lipiec jul',
  'august aout agosto augustus augusti sierpnia sierpien aug',
  'september septembre septiembre settembre setembro wrzesnia wrzesien sept',
  'october oktober octobre octubre ottobre outubro pazdziernika pazdziernik',
  'november novembre noviembre novembro listopada listopad',
  'december dezember decembre diciembre dicembre dezembro grudnia grudzien desember',
].map((names) => names.split(' '));

/** From 1, by a name or at least its first three letters. */
function monthOf(text: string): number {
  const name = fold(text);
  const found = months.flatMap((names, i) =>
    name.length >= 3 && names.some((full) => full.startsWith(name)) ? [i + 1] : [],
  );
  const exact = months.findIndex((names) => names.includes(name)) + 1;
  return exact > 0 ? exact : found.length === 1 ? (found[0] ?? NaN) : NaN;
}

const time =
  /(?:^|[T\s,])\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:Z|UTC|GMT|[A-Z]{2,5}|[+-]\d\d:?\d\d))?(?=$|[\s,])/i;

const patterns: Readonly<Record<DateFormat, RegExp>> = {
  'YYYY-MM-DD': /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\.?(?:[T ].{0,40})?$/,
  YYYYMMDD: /^(\d{4})(\d\d)(\d\d)$/,
  DDMMYYYY: /^(\d\d)(\d\d)(\d{4})$/,
  MMDDYYYY: /^(\d\d)(\d\d)(\d{4})$/,
  'DD/MM/YYYY': /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ].{0,40})?$/,
  'MM/DD/YYYY': /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ].{0,40})?$/,
  'DD/MM/YY': /^(\d{1,2})[-/.](\d{1,2})[-/.](\d\d)$/,
  'MM/DD/YY': /^(\d{1,2})[-/.](\d{1,2})[-/.](\d\d)$/,
  'YY/MM/DD': /^(\d\d)[-/.](\d{1,2})[-/.](\d{1,2})$/,
  'DD MMM YYYY':
    /^(?:\p{L}{2,10}\.?,? )?(\d{1,2})(?:\.|st|nd|rd|th|º)?[ /-]?(?:de )?(\p{L}{3,12})\.?,?[ /-]?(?:de )?(\d{4}|\d\d)$/iu,
  'MMM DD YYYY': /^(?:\p{L}{2,10}\.?,? )?(\p{L}{3,12})\.?[ /-]?(\d{1,2})(?:st|nd|rd|th)?(?:, ?|[ /-])(\d{4}|\d\d)$/iu,
  EXCEL: /^([2-6]\d{4})(?:[.,]\d{1,12})?$/,
};

const MAX_DATE = 60;

/** Returns `YYYY-MM-DD` without the time; undefined if the text doesn't match the format. */
export function parseDay(text: string, format: DateFormat): string | undefined {
  if (text.length > MAX_DATE) return undefined;
  const plain = text.replace(time, ' ').trim().replaceAll(/\s+/g, ' ').replace(/[T,]$/, '');
  const [, a = '', b = '', c = ''] = patterns[format].exec(plain) ?? [];
  if (a === '') return undefined;
  switch (format) {
    case 'EXCEL':
      return new Date(Date.UTC(1899, 11, 30 + Number(a))).toISOString().slice(0, 10);
    case 'YYYY-MM-DD':
    case 'YYYYMMDD':
    case 'YY/MM/DD':
      return dayOf(yearOf(a), Number(b), Number(c));
    case 'DD MMM YYYY':
      return dayOf(yearOf(c), monthOf(b), Number(a));
    case 'MMM DD YYYY':
      return dayOf(yearOf(c), monthOf(a), Number(b));
    case 'DDMMYYYY':
    case 'DD/MM/YYYY':
    case 'DD/MM/YY':
      return dayOf(yearOf(c), Number(b), Number(a));
    case 'MMDDYYYY':
    case 'MM/DD/YYYY':
    case 'MM/DD/YY':
      return dayOf(yearOf(c), Number(a), Number(b));
    default:
      return format satisfies never;
  }
}

function yearOf(text: string): number {
  const year = Number(text);
  return text.length > 2 ? year : year + (year < 80 ? 2000 : 1900);
}

/** In any format except the number of days. */
export function looksLikeDate(text: string): boolean {
  return (
    text.length >= 6 &&
    text.length <= MAX_DATE &&
    /\d/.test(text) &&
    dateFormats.some((format) => format !== 'EXCEL' && parseDay(text, format) !== undefined)
  );
}

export interface DateFormats {
  /** Formats that read all dates as at most ten years ago and not after tomorrow. */
  possible: DateFormat[];
  readable: DateFormat[];
  /** The first date that the first of `readable` does not read, or reads as an implausible day. */
  doubtful?: { line: number; text: string };
}

export function formatsOf(
  dates: ReadonlyArray<{ line: number; text: string }>,
  today: string,
  step: Step,
): DateFormats {
  const tomorrow = new Date(Date.parse(`${today}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const oldest = `${String(Number(today.slice(0, 4)) - 10)}${today.slice(4)}`;
  const isPossible = (text: string, format: DateFormat): boolean => {
    const day = parseDay(text, format);
    return day !== undefined && day >= oldest && day <= tomorrow;
  };
  // Dates with dots never start with the month.
  const isDotted = dates.every(({ text }) => text.includes('.'));
  const formats = dateFormats.filter((format) => !(isDotted && format.startsWith('MM/')));
  let possible: DateFormat[] = formats;
  for (const { text } of dates) {
    step(text.length + possible.length);
    possible = possible.filter((format) => isPossible(text, format));
  }
  if (possible.length > 0) return { possible, readable: possible };
  const counts = new Map<DateFormat, number>();
  for (const { text } of dates) {
    step(text.length + formats.length);
    for (const format of formats) {
      if (parseDay(text, format) !== undefined) counts.set(format, (counts.get(format) ?? 0) + 1);
    }
  }
  const readable = formats
    .filter((format) => counts.has(format))
    .toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const [best] = readable;
  const doubtful = best && dates.find(({ text }) => !isPossible(text, best));
  return { possible, readable, ...(doubtful ? { doubtful } : {}) };
}
