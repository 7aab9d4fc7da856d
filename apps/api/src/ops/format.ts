import { type Html, html } from '../http/html.ts';

/** A whole number with separators; with a `limit` that it reaches, that many or more. */
export function formatCount(count: number, limit = Number.POSITIVE_INFINITY): string {
  return `${count.toLocaleString('en-US')}${count >= limit ? ' or more' : ''}`;
}

/** A span of seconds in its two largest units: `3 h 12 min`. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** A moment of this day as a time, another with its date, in UTC. */
export function formatTime(at: Date, now: Date): Html {
  const text = at.toISOString();
  const sameDay = text.slice(0, 10) === now.toISOString().slice(0, 10);
  const shown = sameDay ? text.slice(11, 19) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
  return html`<time datetime="${text}">${shown} UTC</time>`;
}

/** Seconds from one moment to another. */
export function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
