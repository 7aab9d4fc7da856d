const MAX_LENGTH = 64;

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function normalize(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
}

/** Allows one edit per four characters, or a name without its first or last words (`balance` for `balance_cents`). */
function edits(wrong: string, name: string): number | undefined {
  if (name.startsWith(`${wrong}_`) || name.endsWith(`_${wrong}`)) return 1;
  const most = Math.max(1, Math.floor(name.length / 4));
  if (Math.abs(wrong.length - name.length) > most) return undefined;
  const count = distance(wrong, name);
  return count <= most ? count : undefined;
}

/** Up to three likely corrections of a name, nearest first. */
export function nearestNames(wrong: string, names: readonly string[]): string[] {
  const sent = normalize(wrong);
  if (sent.length < 3) return [];
  return names
    .flatMap((name) => {
      const count = edits(sent, normalize(name));
      return count === undefined ? [] : [{ name, count }];
    })
    .sort((a, b) => a.count - b.count)
    .slice(0, 3)
    .map(({ name }) => name);
}
