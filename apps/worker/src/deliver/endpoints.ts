import type { EndpointRef } from '@finhook/core';
import { Endpoint, type EndpointDeps } from './endpoint.ts';

const maxEndpoints = 20_000;

/** A cache of the endpoints of this process, with their send windows and targets. It evicts the least recently used. */
export class Endpoints {
  readonly #deps: EndpointDeps;
  readonly #all = new Map<string, Endpoint>();
  readonly #busy = new Set<EndpointRef>();
  #onIdle: (() => void) | undefined;

  constructor(deps: EndpointDeps) {
    this.#deps = deps;
  }

  of(ref: EndpointRef): Endpoint {
    const known = this.#all.get(ref.id);
    if (known === undefined && this.#all.size >= maxEndpoints) this.#evict();
    const endpoint = known ?? new Endpoint(this.#deps, ref);
    this.#all.delete(ref.id);
    this.#all.set(ref.id, endpoint);
    return endpoint;
  }

  #evict(): void {
    for (const [id, endpoint] of this.#all) {
      if (this.#busy.has(endpoint)) continue;
      this.#all.delete(id);
      // Its wake-up ends too; the reconciler replaces it.
      endpoint.close();
      return;
    }
  }

  setBusy(endpoint: EndpointRef, isBusy: boolean): void {
    if (isBusy) this.#busy.add(endpoint);
    else if (this.#busy.delete(endpoint) && this.isIdle) this.#onIdle?.();
  }

  get isIdle(): boolean {
    return this.#busy.size === 0;
  }

  async close(): Promise<void> {
    for (const endpoint of this.#all.values()) endpoint.close();
    while (!this.isIdle) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }
}
