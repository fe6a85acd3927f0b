import type { ServerApi } from './server-apis.ts';

/** The servers that Darkroom starts itself, as engines use them. */
export interface ManagedServers {
  /** Returns how the model of a route is made. */
  find(model: string): ServedModel;
  /** Waits for the server of this name. @throws Error with the reason if it cannot be used; the signal's reason */
  use(server: string, signal: AbortSignal): Promise<ManagedServer>;
  /** Whether there is such a server: a pulled model, or an own server. */
  knows(server: string): boolean;
  /** The models that can be ordered now, and why the others cannot. */
  models(): Promise<{ readonly usable: readonly string[]; readonly refused: ReadonlyMap<string, string> }>;
}

/** Which server makes a model, and how it is asked for it. */
interface ServedModel {
  readonly server: string;
  readonly api: ServerApi;
  /** The server's own name of the model; null: it has one model. */
  readonly model: string | null;
  /** The key that the server wants; null = none. */
  readonly key: string | null;
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
