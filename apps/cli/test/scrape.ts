import { type Family, parseExposition, type Sample } from './parse-exposition.ts';

/** A scrape, read by an independent parser. */
export interface Scrape {
  readonly text: string;
  readonly families: ReadonlyMap<string, Family>;
  /** Samples with these labels; of a histogram, its counts. */
  samples(name: string, labels?: Readonly<Record<string, string>>): Sample[];
  /** Their sum; fails without a sample. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
}

/** Like Prometheus. */
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
