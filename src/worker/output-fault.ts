/** Why a result could not be fetched from where the engine said it lies. */
export class OutputFault extends Error {
  /** Whether it may work later, or at an address that the engine names anew. */
  readonly retryable: boolean;

  constructor(message: string, options: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutputFault';
    this.retryable = options.retryable;
  }
}
