/** What the service has promised and not kept. */
export class BrokenPromise extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenPromise';
  }
}

/** @throws BrokenPromise unless it holds. */
export function promise(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new BrokenPromise(otherwise);
}
