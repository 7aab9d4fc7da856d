export type QueueTarget =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'redis'; readonly url: string }
  | {
      readonly kind: 'redis-cluster';
      readonly nodes: readonly { readonly host: string; readonly port: number }[];
      readonly tls: boolean;
      readonly username?: string;
      readonly password?: string;
    };

const forms = 'redis://, rediss://, redis-cluster://host:port,host:port, rediss-cluster:// or postgres://';

/**
 * Tells the queue's backend by the scheme of QUEUE_URL.
 * @throws Error with a sentence that never repeats the URL, because it may hold a password.
 */
export function parseQueueUrl(url: string): QueueTarget {
  const [, scheme = '', rest = ''] = /^([a-z-]+):\/\/(.+)$/.exec(url) ?? [];
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return { kind: 'postgres', url: checked(url) };
    case 'redis':
    case 'rediss':
      return { kind: 'redis', url: checked(url) };
    case 'redis-cluster':
    case 'rediss-cluster':
      return { kind: 'redis-cluster', tls: scheme === 'rediss-cluster', ...parseCluster(rest) };
    default:
      throw new Error(`The queue URL must start with ${forms}.`);
  }
}

function checked(url: string): string {
  if (!URL.canParse(url))
    throw new Error(`The queue URL can't be read: it should look like scheme://user:password@host:port/name.`);
  return url;
}

function parseCluster(rest: string) {
  const at = rest.lastIndexOf('@');
  const [username = '', password = ''] = at < 0 ? [] : rest.slice(0, at).split(':').map(decodeURIComponent);
  const nodes = rest
    .slice(at + 1)
    .replace(/\/$/, '')
    .split(',')
    .map((node) => {
      const { hostname, port } = URL.canParse(`redis://${node}`)
        ? new URL(`redis://${node}`)
        : { hostname: '', port: '' };
      if (hostname === '') throw new Error(`The queue URL's cluster list must read host:port,host:port.`);
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) };
    });
  return { nodes, ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}
