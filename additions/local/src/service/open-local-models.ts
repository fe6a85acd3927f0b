import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { world } from '@darkroom-service/contract';
import type { AddedTools, Addition, Config, Log } from '@darkroom-service/darkroom/kernel';
import type { Engine } from '@darkroom-service/engines';
import { createLocalEngine } from '@darkroom-service/engines/adapters';
import { catalogEntries } from '../catalog-entries.ts';
import { LOCAL_ENGINE, LOCAL_VENDOR } from '../entry-parts.ts';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import { modelServer } from '../model-server.ts';
import { ownEntries } from '../own-servers/own-entries.ts';
import { listedName, type OwnServer, ownServerOf, routeModel } from '../own-servers/own-server.ts';
import { ownServerSpec } from '../own-servers/own-server-spec.ts';
import { openRunning, type RunningServers } from '../running.ts';
import { createServerNetwork } from '../servers/network.ts';
import { Servers } from '../servers/servers.ts';
import { type ModelRecord, openStore } from '../store.ts';

const RESTART_MS = 1_000;
const PUBLISH_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 3_000;

/**
 * Opens the pulled models and the own servers of this machine. Their engine is dormant until a model is pulled or a
 * setting requires it.
 */
export async function openLocalModels(config: Config): ReturnType<NonNullable<Addition['models']>> {
  const local = config.of(LOCAL_SETTINGS);
  const { ownServers } = local;
  const store = openStore(local.directory);
  let records = new Map<string, ModelRecord>();
  const isOn = config.engines?.includes(LOCAL_ENGINE) !== false;
  const read = async () => {
    if (isOn) records = new Map((await store.records()).map((record) => [record.name, record]));
  };
  const pulledAt = () =>
    [...records.values()].map(({ name, pulled_at, price }) => `${name} ${pulled_at} ${price}`).join();

  async function open(tools: AddedTools, closers: AsyncDisposableStack): Promise<Engine[]> {
    if (!isOn) return [];
    let running: RunningServers | null = null;
    const network = createServerNetwork(local.network, local.environment.PATH);
    closers.defer(async () => await running?.close());
    const publish = async () => await running?.publish(await servers.views());
    const servers = new Servers({
      specOf(name) {
        const own = ownServers.find((server) => listedName(server) === name);
        if (own !== undefined) return ownServerSpec(own, local.environment);
        const record = records.get(name);
        return record === undefined ? null : modelServer(record, store, local.program, local.environment);
      },
      limits: {
        memoryBytes: local.memoryBytes,
        idleMs: local.idleMs,
        loadMs: local.loadMs,
        stallMs: local.stallMs,
        maxServers: local.servers,
        restartMs: RESTART_MS,
      },
      network,
      temporaryDirectory: tools.temporaryDirectory,
      onChange(name, state, reason) {
        logChange(tools.log, { server: name, state, reason });
        void publish();
      },
    });
    closers.defer(() => servers.close());
    let seen = '';
    let looking: Promise<void> | null = null;
    const refresh = () => {
      looking ??= readNow().finally(() => {
        looking = null;
      });
      return looking;
    };
    /** Applies the pulls and removals since the last look. */
    const readNow = async () => {
      await read();
      const found = pulledAt();
      if (found === seen) return;
      await awake();
      // A catalog that cannot be reloaded is reported once.
      seen = found;
      servers.endRemoved();
      await tools.reloadCatalog();
    };
    const refreshOrLog = () =>
      void refresh().catch((error: unknown) =>
        tools.log.error({ err: error }, 'could not take over the pulled models'),
      );
    const awake = async () => {
      if (running !== null || (records.size === 0 && !local.isWanted)) return;
      running = await openRunning(local.directory, tools.process);
      closers.defer(watchRecords(store.models, refreshOrLog));
      const own = ownServers.map((server) => listedName(server));
      const models = [...records.keys()];
      tools.log.info({ engine: LOCAL_ENGINE, models, own, network: await network.view() }, 'engine enabled');
    };
    await read();
    seen = pulledAt();
    await awake();
    for (const timer of [
      world.setInterval(() => void publish(), PUBLISH_EVERY_MS),
      world.setInterval(refreshOrLog, LOOK_EVERY_MS),
    ]) {
      timer.unref();
      closers.defer(() => world.clearInterval(timer));
    }
    const engine = createLocalEngine({
      ...tools,
      // An order is only taken out of the queue when a server can work on it.
      concurrency: local.servers,
      isDormant: () => running === null,
      orderLimitMs: config.hardDeadlineMs,
      workflowDirectories: config.catalogDirectories.map((directory) => join(directory, 'workflows')),
      servers: {
        find(name) {
          const own = ownServerOf(ownServers, name);
          if (own === null) return { server: name, api: 'sd-server', model: null, key: null };
          const { server, model } = own;
          return { server: listedName(server), api: server.api, model, key: server.key };
        },
        use: (name, signal) => servers.use(name, signal),
        knows: (name) => servers.knows(name),
        async models() {
          await refresh();
          const pulled = [...records.keys()].map((name) => ({ name, server: name }));
          const offered = [...pulled, ...ownModels(ownServers)];
          const refused = offered.flatMap(({ name, server }) => {
            const reason = servers.refusal(server);
            return reason === null ? [] : [[name, reason] as const];
          });
          const reasons = new Map(refused);
          return { usable: offered.flatMap(({ name }) => (reasons.has(name) ? [] : [name])), refused: reasons };
        },
      },
    });
    return [engine];
  }

  return {
    engine: LOCAL_ENGINE,
    async readEntries() {
      await read();
      return {
        vendor: LOCAL_VENDOR,
        models: [...catalogEntries([...records.values()]), ...(isOn ? ownEntries(ownServers) : [])],
      };
    },
    openEngines: open,
  };
}

/** Returns the models that routes may name, each with its server. */
function ownModels(servers: readonly OwnServer[]): { readonly name: string; readonly server: string }[] {
  return servers.flatMap((server) =>
    server.models.flatMap(({ model, editModel }) =>
      [model, ...(editModel === null ? [] : [editModel])].map((name) => ({
        name: routeModel(server, name),
        server: listedName(server),
      })),
    ),
  );
}

/**
 * Calls `refresh` when a model was pulled or removed, if the system reports that at once.
 * @returns the function that ends the watch
 */
function watchRecords(directory: string, refresh: () => void): () => void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const watcher = watch(directory, { persistent: false }, refresh);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    // The regular look finds it too.
    return () => {};
  }
}

function logChange(
  log: Log,
  change: { readonly server: string; readonly state: string; readonly reason: string | null },
) {
  const isFailure = change.reason !== null && (change.state === 'stopped' || change.state === 'unavailable');
  if (isFailure) log.warn(change, 'a local server ended');
  else log.debug(change, 'a local server changed its state');
}
