/** The service ranks with this for `/docs/search`, the browser while somebody types. */
const EXCERPT = 160;
const MAX_WORDS = 8;
/** A word of this length or less is searched as it is. */
const SHORT = 3;
const TITLE = 10;
const NAME = 5;
const unspecific = new Set(
  'a an and are at be by can do does for from how i in is it my of on or the to what with'.split(' '),
);

/**
 * Prepares the search in `entries`. The entries that contain any of the words are returned, best first: those with more
 * of them, with rarer ones, and with them in the title, or in the guide's title or the end of the address, before those
 * that have them in the text. Words are compared without their endings: `verify` finds `verification`.
 * @param {readonly import('./rank.d.ts').SearchEntry[]} entries
 * @returns {(query: string) => import('./rank.d.ts').SearchResult[]}
 */
export function createSearch(entries) {
  const lower = entries.map(({ title, kind, text, url }) => ({
    title: title.toLowerCase(),
    name: `${kind} ${url.slice(url.lastIndexOf('/') + 1)}`.toLowerCase(),
    text: text.toLowerCase(),
  }));
  return (query) => {
    const words = wordsOf(query);
    const values = words.map((word) => lower.map((entry) => valueOf(entry, word)));
    const weights = values.map((found) =>
      Math.log(1 + entries.length / (1 + found.filter((value) => value > 0).length)),
    );
    const scores = entries.map((_, i) => {
      const found = values.filter((value) => (value[i] ?? 0) > 0).length;
      const sum = values.reduce((total, value, word) => total + (value[i] ?? 0) * (weights[word] ?? 0), 0);
      return (sum * (found / words.length) ** 2) / (1 + (lower[i]?.title.length ?? 0) / 200);
    });
    return entries
      .map((entry, i) => ({ entry, score: scores[i] ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => ({ ...entry, text: excerpt(entry.text, words) }));
  };
}

/**
 * The different words of a query without their endings, at most eight.
 * @param {string} query
 */
function wordsOf(query) {
  const all = [
    ...new Set(
      query
        .toLowerCase()
        .split(/[^\p{L}\p{N}_.-]+/u)
        .filter(Boolean),
    ),
  ];
  const specific = all.filter((word) => word.length > 1 && !unspecific.has(word));
  return [...new Set((specific.length === 0 ? all : specific).map(stem))].slice(0, MAX_WORDS);
}

/** @param {string} word */
function stem(word) {
  const rest = word.replace(/(?:ications?|ations?|ying|ies|ied|ing|ed|es|s|e|y)$/, '');
  return rest.length < SHORT ? word : rest;
}

/**
 * @param {{ title: string; name: string; text: string }} entry
 * @param {string} word
 */
function valueOf({ title, name, text }, word) {
  return place(title, word) * TITLE + place(name, word) * NAME + place(text, word);
}

/**
 * 2 for the start of a word, 1 for its middle. The middle does not count for a short word, and its whole counts double.
 * @param {string} text
 * @param {string} word
 */
function place(text, word) {
  let best = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const begins = at === 0 || /\W/.test(text[at - 1] ?? ' ');
    if (word.length > SHORT) {
      if (begins) return 2;
      best = 1;
    } else if (begins) {
      if (/^\W?$/.test(text[at + word.length] ?? '')) return 2;
      best = Math.max(best, 0.5);
    }
  }
  return best;
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
