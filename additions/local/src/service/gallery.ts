import type { LocalModelsView, LocalModelView, RemovedLocalModelView } from './local-wire.ts';

/** An operator's choices for a pull. */
export interface PullChoices {
  /** Build of the engine; undefined = the best one for this machine. */
  readonly build?: string | undefined;
  readonly acceptLicence: boolean;
  /** Whether to use facts that only the hub reports. */
  readonly acceptUnverified: boolean;
  /** Whether to pull a model that needs more memory than the machine has. */
  readonly ignoreMemory: boolean;
}

/** The models of this machine, for operators. Each method throws a ServiceError with the fault. */
export interface LocalGallery {
  list(): Promise<LocalModelsView>;
  /** Starts a pull, which continues after the answer. */
  pull(name: string, choices: PullChoices): Promise<LocalModelView>;
  /** Stops a pull that this process runs; the downloaded part is kept. */
  cancel(name: string): Promise<LocalModelView>;
  remove(name: string): Promise<RemovedLocalModelView>;
  /**
   * Calls the listener once the state of pulls, models and servers is known, then when it changes.
   * @returns a function that ends the watch
   */
  watch(listener: () => void): () => void;
}
