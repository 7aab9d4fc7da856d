/** Flags of every command; an input with the same name gets the prefix `field-`. */
const taken = new Set(['help', 'profile', 'json', 'all', 'input', 'null', 'idempotency-key', 'format', 'output-file']);

function kebab(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** `webhookEndpoints.rotateSecret` is `finhook webhook-endpoints rotate-secret`. */
export function commandPath(id: string): string[] {
  return id.split('.').map(kebab);
}

export function flagName(field: string): string {
  const name = kebab(field);
  return `--${taken.has(name) ? 'field-' : ''}${name}`;
}
