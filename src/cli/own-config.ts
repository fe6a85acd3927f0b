import { type Addition, tablesOf } from '../service/addition.ts';
import { type Config, loadConfig } from '../service/config/config.ts';
import { readEnvironment } from '../service/config/environment.ts';

let known: readonly Addition[] = [];

/** Names the additions whose settings and tables the commands of this process use. Called before a command runs. */
export function useAdditions(additions: readonly Addition[]): void {
  known = additions;
}

/** Reads the settings of the service that this command belongs to, also those of additions. @throws ConfigFault */
export function readOwnConfig(): Config {
  return loadConfig(readEnvironment(), known);
}

/** Returns the additions whose settings and tables the commands of this process use. */
export function ownAdditions(): readonly Addition[] {
  return known;
}

/** Returns the statements that create the tables of additions: a command may be the first to open a database. */
export function ownTables(): readonly string[] {
  return tablesOf(known);
}
