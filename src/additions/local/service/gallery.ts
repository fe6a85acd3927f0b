import type { LocalModelsView, LocalModelView, RemovedLocalModelView } from './local-wire.ts';

/** An operator's choices for a pull. */
export interface PullWish {
  /** The engine's build; undefined = the best one for this machine. */
  readonly build?: string | undefined;
  readonly acceptLicence: boolean;
  /** Use the facts that only the hub tells. */
  readonly acceptUnverified: boolean;
  /** Whether to pull a model that needs more memory than the machine has. */
  readonly ignoreMemory: boolean;
}

/** The models of this machine, for operators. Each method throws a ServiceError that says what is wrong. */
export interface LocalGallery {
  list(): Promise<LocalModelsView>;
  /** Starts a pull, which goes on after the answer. */
  pull(name: string, wish: PullWish): Promise<LocalModelView>;
  /** Stops a pull that this process runs; what has arrived is kept. */
  cancel(name: string): Promise<LocalModelView>;
  remove(name: string): Promise<RemovedLocalModelView>;
  /**
   * Calls the listener once the state of pulls, models and servers is known, then when it changes.
   * @returns a function that ends the watch
   */
  watch(listener: () => void): () => void;
}
