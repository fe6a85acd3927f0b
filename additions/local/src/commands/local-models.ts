import { join } from 'node:path';
import { nearestName } from '@darkroom-service/contract';
import type { Config } from '@darkroom-service/darkroom/kernel';
import { readOwnConfig, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import { loadManifests, type Manifests, type ModelManifest } from '../manifest.ts';
import { listedName, OWN, type OwnServer } from '../own-servers/own-server.ts';
import { type LocalStore, openStore } from '../store.ts';

export interface LocalModels {
  readonly config: Config;
  readonly manifests: Manifests;
  readonly store: LocalStore;
}

/** Reads the manifests beside the catalog and opens the store of pulled models. @throws ConfigFault, LocalFault */
export async function openLocalModels(): Promise<LocalModels> {
  const config = readOwnConfig();
  const manifests = await loadManifests(config.catalogDirectories.map((directory) => join(directory, 'local')));
  return { config, manifests, store: openStore(config.of(LOCAL_SETTINGS).directory) };
}

/** Finds the manifest of a model by its name. @throws CommandFault naming the models there are. */
export function findManifest({ models }: Manifests, name: string): ModelManifest {
  const found = models.get(name);
  if (found !== undefined) return found;
  if (name.startsWith(OWN))
    throw usageFault(
      `There is no own server "${name}" in the file of DARKROOM_LOCAL_SERVERS_FILE. Set the variable as the service has it, or run the command where the service runs.`,
    );
  const nearest = nearestName(name, [...models.keys()]);
  const advice = nearest === null ? `Known: ${[...models.keys()].join(', ')}.` : `Did you mean ${nearest}?`;
  throw usageFault(`There is no model "${name}" to pull. ${advice}`);
}

/** Finds an own server by its listed name, such as `own/comfy`. */
export function findOwnServer(servers: readonly OwnServer[], name: string): OwnServer | null {
  return servers.find((server) => listedName(server) === name) ?? null;
}
