/** A call of an upstream to the URL that `start` was given. */
export interface Callback {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** `running`: it says that the order has not ended. `forged`: its signature is missing or wrong. */
export type CallbackNews = 'ended' | 'running' | 'forged';
