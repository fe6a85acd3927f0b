/** Reason why a result could not be downloaded from the engine's URL. */
export class OutputFault extends Error {
  /** Whether a retry may succeed, later or with a new URL from the engine. */
  readonly retryable: boolean;

  constructor(message: string, options: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutputFault';
    this.retryable = options.retryable;
  }
}
