import type { Command } from 'commander';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import type { HttpAddition } from '../http/http-options.ts';
import type { TaskHooks } from '../tasks/task-hooks.ts';

/**
 * A feature that the core does not know. `src/additions/list.ts` lists all. What only one role or one command needs is
 * loaded when it is called for.
 */
export interface Addition {
  readonly name: string;
  /** What creates its tables, in the manner of `src/database/migrations/initial.ts`. */
  readonly tables?: string;
  readonly hooks?: TaskHooks;
  /** @throws ConfigFault if settings do not go with the catalog */
  readonly checkSettings?: (config: Config, catalog: Catalog) => void;
  /** Adds its commands. */
  readonly commands?: (program: Command) => void;
  readonly http?: (config: Config) => Promise<HttpAddition>;
}

/** What creates the tables of all. */
export function tablesOf(additions: readonly Addition[] = []): string[] {
  return additions.flatMap(({ tables }) => tables ?? []);
}
