import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { world } from '@darkroom-service/contract';
import { CommandFault, print, watchInterruption } from '@darkroom-service/darkroom/kernel-cli';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import { modelServer } from '../model-server.ts';
import { ownServerSpec } from '../own-servers/own-server-spec.ts';
import { freePort } from '../servers/free-port.ts';
import { createServerNetwork } from '../servers/network.ts';
import { startServerProcess } from '../servers/server-process.ts';
import type { ServerSpec } from '../servers/server-spec.ts';
import { findManifest, findOwnServer, type LocalModels, openLocalModels } from './local-models.ts';

/** Starts the server of a pulled model, or an own one, as the service would, and shows its output until Ctrl-C. */
export async function runLocalModel(name: string): Promise<void> {
  const models = await openLocalModels();
  const { config } = models;
  const spec = await specOf(name, models);
  const port = spec.port ?? (await freePort());
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'darkroom-run-'));
  const { signal, release } = watchInterruption();
  try {
    const command = await spec.command(port);
    const network = createServerNetwork(config.of(LOCAL_SETTINGS).network, config.of(LOCAL_SETTINGS).environment.PATH);
    const enclosure = spec.needsNetwork ? null : await network.enclosure();
    const options = {
      ...command,
      enclosure,
      port,
      readyPath: spec.readyPath,
      loadLimitMs: config.of(LOCAL_SETTINGS).loadMs,
    };
    const server = await startServerProcess({ ...options, temporaryDirectory });
    const began = world.monotonic();
    signal.addEventListener('abort', () => void server.stop('it was interrupted'), { once: true });
    print(`Loading ${name} …`);
    await server.ready.catch((error: Error) => {
      if (!signal.aborted) throw new CommandFault(`${name}: ${error.message}`);
    });
    if (!signal.aborted) {
      const seconds = ((world.monotonic() - began) / 1000).toFixed(1);
      const lines = server.output.tail(20).map((line) => `  ${line}\n`);
      print(
        `${lines.join('')}${name} answers at ${server.url} after ${seconds} s, its network is ${server.network}. Ctrl-C ends it.`,
      );
    }
    const how = await server.ended;
    if (!signal.aborted) throw new CommandFault(`${name} ended: ${how}`);
  } finally {
    release();
    await rm(temporaryDirectory, { recursive: true, force: true });
  }
}

async function specOf(name: string, { config, manifests, store }: LocalModels): Promise<ServerSpec> {
  const local = config.of(LOCAL_SETTINGS);
  const own = findOwnServer(local.ownServers, name);
  if (own !== null) return ownServerSpec(own, local.environment);
  const record = await store.record(name);
  if (record !== null) return modelServer(record, store, local.program, local.environment);
  findManifest(manifests, name);
  throw new CommandFault(`${name} is not pulled. Pull it first: darkroom pull ${name}`);
}
