import type { ServerApi } from './server-apis.ts';

/** The servers that Darkroom starts itself, as engines use them. */
export interface ManagedServers {
  /** Returns the server that makes the model of a route. */
  find(model: string): ServedModel;
  /**
   * Waits for the server of this name.
   * @throws Error with the reason if it cannot be used, or the fault of this machine; the signal's reason
   */
  use(server: string, signal: AbortSignal): Promise<ManagedServer>;
  /** Tells whether there is such a server: a pulled model, or an own server. */
  knows(server: string): boolean;
  /** Returns the models that can be ordered now, and the reasons for the others. */
  models(): Promise<{ readonly usable: readonly string[]; readonly refused: ReadonlyMap<string, string> }>;
}

/** The server that makes a model, and the parameters of its calls. */
interface ServedModel {
  readonly server: string;
  readonly api: ServerApi;
  /** The server's own name of the model; null if it has one model. */
  readonly model: string | null;
  /** The key that the server requires; null = none. */
  readonly key: string | null;
}

/** A running server that one order uses alone. */
export interface ManagedServer {
  readonly url: string;
  readonly ended: Promise<string>;
  onStep: (step: { readonly done: number; readonly total: number }) => void;
  /** Ends the server because it does not work. */
  fail(why: string): Promise<void>;
  /** Ends the server because its work is no longer needed. */
  end(why: string): Promise<void>;
  release(succeeded: boolean): void;
}
