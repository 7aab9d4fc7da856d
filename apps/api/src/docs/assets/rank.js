/** The service ranks with this for `/docs/search`, the browser while somebody types. */
const EXCERPT = 160;

/**
 * The entries that contain every word, best first: a word in the title or in the name at the end of the address counts
 * more than one in the text, and the start of a word more than its middle.
 * @param {readonly import('./rank.d.ts').SearchEntry[]} entries
 * @param {string} query
 * @returns {import('./rank.d.ts').SearchResult[]}
 */
export function rank(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, value: score(entry, words) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .map(({ entry }) => ({ ...entry, text: excerpt(entry.text, words) }));
}

/**
 * @param {import('./rank.d.ts').SearchEntry} entry
 * @param {readonly string[]} words
 */
function score({ title, text, url }, words) {
  const inTitle = title.toLowerCase();
  const inName = url.slice(url.lastIndexOf('/') + 1).toLowerCase();
  const inText = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const value = place(inTitle, word) * 10 + place(inName, word) * 5 + place(inText, word);
    if (value === 0) return 0;
    sum += value;
  }
  return inTitle === words.join(' ') ? sum * 2 : sum / (1 + inTitle.length / 200);
}

/**
 * @param {string} text
 * @param {string} word
 */
function place(text, word) {
  const at = text.indexOf(word);
  if (at === -1) return 0;
  return at === 0 || /\W/.test(text[at - 1] ?? ' ') ? 2 : 1;
}

/**
 * @param {string} text
 * @param {readonly string[]} words
 */
function excerpt(text, words) {
  const lower = text.toLowerCase();
  const at = Math.max(0, ...words.map((word) => lower.indexOf(word)));
  const start = at < EXCERPT / 2 ? 0 : text.indexOf(' ', at - EXCERPT / 2) + 1;
  const part = text.slice(start, start + EXCERPT);
  return `${start > 0 ? '… ' : ''}${part}${start + EXCERPT < text.length ? ' …' : ''}`;
}
