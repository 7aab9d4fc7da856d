import { outpost } from './outpost.ts';
import type { Peer } from './peer.ts';
import { svix } from './svix.ts';

/** By the names that `--peers` takes. */
export const peers = { svix, outpost } as const satisfies Record<string, Peer>;
export type PeerName = keyof typeof peers;

export function isPeer(name: string): name is PeerName {
  return Object.hasOwn(peers, name);
}
