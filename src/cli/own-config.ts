import { type Config, loadConfig } from '../service/config/config.ts';
import { readEnvironment } from '../service/config/environment.ts';
import type { Configurable } from '../service/config/settings.ts';

let known: readonly Configurable[] = [];

/** Names the additions whose settings the commands of this process read. Called before a command runs. */
export function useSettingsOf(additions: readonly Configurable[]): void {
  known = additions;
}

/** Reads the settings of the service that this command belongs to, also those of additions. @throws ConfigFault */
export function readOwnConfig(): Config {
  return loadConfig(readEnvironment(), known);
}
