import { readFileSync } from 'node:fs';

export interface RouterValues {
  /** The default first. Addresses are `host:port`. */
  readonly cells: readonly { readonly name: string; readonly address: string }[];
  readonly resolver: string;
  readonly port: number;
}

const file = new URL('../../../deploy/helm/files/router.conf', import.meta.url);
const EACH = ' # each cell';

/** The router's configuration as rendered by the chart. */
export function routerConf({ cells, resolver, port }: RouterValues): string {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line.endsWith(EACH)) return line;
      const text = line.slice(0, -EACH.length);
      return cells.map(({ name, address }) => text.replaceAll('%cell%', name).replaceAll('%address%', address));
    });
  const [first, second = first] = cells;
  const values = { default: first?.address ?? '', spare: second?.address ?? '', resolver, port: String(port) };
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`%${name}%`, value), lines.join('\n'));
}
