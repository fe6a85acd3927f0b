/** A promise that the service has broken. */
export class BrokenPromise extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenPromise';
  }
}

/** Asserts a promise of the service. @throws BrokenPromise unless it holds. */
export function promise(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new BrokenPromise(otherwise);
}
