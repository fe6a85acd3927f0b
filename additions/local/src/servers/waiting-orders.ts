import type { ServerLease } from './server-spec.ts';

interface WaitingOrder {
  /** Name of the server. */
  readonly name: string;
  readonly resolve: (lease: ServerLease) => void;
  readonly reject: (error: unknown) => void;
}

/** Orders that wait for servers, by their arrival. */
export class WaitingOrders {
  readonly #orders: WaitingOrder[] = [];

  get all(): readonly WaitingOrder[] {
    return [...this.#orders];
  }

  of(name: string): readonly WaitingOrder[] {
    return this.#orders.filter((order) => order.name === name);
  }

  /** Waits until the order is removed and gets a lease. @throws the signal's reason */
  add(name: string, signal: AbortSignal): Promise<ServerLease> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        if (!this.#orders.includes(order)) return;
        this.remove(order);
        reject(signal.reason);
      };
      const settle = () => signal.removeEventListener('abort', abort);
      const order: WaitingOrder = {
        name,
        resolve: (lease) => {
          settle();
          resolve(lease);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#orders.push(order);
    });
  }

  remove(order: WaitingOrder): void {
    this.#orders.splice(this.#orders.indexOf(order), 1);
  }
}
