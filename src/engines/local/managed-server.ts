/** The servers that Darkroom starts itself, as engines use them. */
export interface ManagedServers {
  /** Waits for the server of a model. @throws Error with the reason if it cannot be used; the signal's reason */
  use(model: string, signal: AbortSignal): Promise<ManagedServer>;
  /** The models that can be ordered now, and why the others cannot. */
  models(): Promise<{ readonly usable: readonly string[]; readonly refused: ReadonlyMap<string, string> }>;
}

/** A running server that one order uses alone. */
export interface ManagedServer {
  readonly url: string;
  readonly ended: Promise<string>;
  onStep: (step: { readonly done: number; readonly total: number }) => void;
  /** Ends the server, which does not work. */
  fail(why: string): Promise<void>;
  /** Ends the server, whose work is no longer wanted. */
  end(why: string): Promise<void>;
  release(succeeded: boolean): void;
}
