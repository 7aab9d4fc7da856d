import { type Family, parseExposition, type Sample } from './parse-exposition.ts';

/** One scrape, read by a parser that is not the exporter's. */
export interface Scrape {
  readonly text: string;
  readonly families: ReadonlyMap<string, Family>;
  /** The samples whose labels include these; of a histogram, its numbers of observations. */
  samples(name: string, labels?: Readonly<Record<string, string>>): Sample[];
  /** The sum of those samples, of which there is one at least: what is missing is not 0. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
}

/** Scrapes over HTTP, as Prometheus does. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`The scrape returned ${response.status}.`);
  const text = await response.text();
  const families = parseExposition(text);
  const samples: Scrape['samples'] = (name, labels = {}) => {
    const family = families.get(name);
    if (family === undefined) throw new Error(`There is no ${name}.`);
    const sampled = family.type === 'histogram' ? `${name}_count` : name;
    return family.samples.filter((sample) => {
      return sample.name === sampled && Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
    });
  };
  return {
    text,
    families,
    samples,
    value: (name, labels) => {
      const found = samples(name, labels);
      if (found.length === 0) throw new Error(`No sample of ${name} has ${JSON.stringify(labels ?? {})}.`);
      return found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}
