export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const head = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;

/**
 * Reads Prometheus' text format 0.0.4 strictly: every sample is below the HELP and TYPE of its family, and no series
 * appears twice.
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const series = new Set<string>();
  let current = '';
  for (const row of text.split('\n').filter((found) => found !== '')) {
    const about = head.exec(row);
    if (about) {
      const [, kind, name = '', rest = ''] = about;
      const family = families.get(name) ?? { type: '', help: '', samples: [] };
      if (family.samples.length > 0) throw new Error(`Two parts of ${name}.`);
      families.set(name, Object.assign(family, kind === 'HELP' ? { help: rest } : { type: rest }));
      current = name;
      continue;
    }
    const [, name = '', inner = '', value = ''] = line.exec(row) ?? fail(row);
    const family = families.get(current);
    const own = family?.type === 'histogram' ? name.replace(/_(?:bucket|sum|count)$/, '') : name;
    if (family === undefined || own !== current) throw new Error(`Not below its family: ${row}`);
    if (series.has(`${name}{${inner}}`)) throw new Error(`Twice: ${row}`);
    series.add(`${name}{${inner}}`);
    family.samples.push({ name, labels: labelsOf(inner, row), value: numberOf(value, row) });
  }
  return families;
}

function labelsOf(inner: string, row: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = inner; rest !== ''; ) {
    const [whole, name = '', value = ''] = label.exec(rest) ?? fail(row);
    labels[name] = value.replaceAll(/\\([\\"n])/g, (_, char: string) => (char === 'n' ? '\n' : char));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function numberOf(value: string, row: string): number {
  if (value === '+Inf') return Number.POSITIVE_INFINITY;
  const number = Number(value);
  // Prometheus ignores its case.
  return Number.isNaN(number) && !/^nan$/i.test(value) ? fail(row) : number;
}

function fail(row: string): never {
  throw new Error(`Not the text format: ${row}`);
}
