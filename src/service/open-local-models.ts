import type { Log } from '../base/log.ts';
import type { CatalogFile } from '../catalog/entry-schema.ts';
import type { Config } from '../config/config.ts';
import type { Engine } from '../engines/engine.ts';
import { createLocalEngine, type LocalEngineSettings } from '../engines/local/local-engine.ts';
import { catalogEntries, LOCAL_ENGINE } from '../local/catalog-entries.ts';
import { modelServer } from '../local/model-server.ts';
import { openRunning } from '../local/running.ts';
import { createServers } from '../local/servers/servers.ts';
import { type ModelRecord, openStore } from '../local/store.ts';

/** The pulled models of this machine. */
export interface LocalModels {
  /** Reads what is pulled. @returns the catalog entries of it */
  readEntries(): Promise<CatalogFile>;
  /** Opens the engine for pulled models; none if nothing is pulled and no setting asks for it. */
  openEngines(tools: LocalTools, closers: AsyncDisposableStack): Promise<Engine[]>;
}

interface LocalTools extends Pick<LocalEngineSettings, 'clock' | 'log' | 'fetch' | 'pictures'> {
  readonly temporaryDirectory: string;
  /** The id of this process. */
  readonly process: string;
  /** Called when models were pulled or removed. */
  readonly reloadCatalog: () => Promise<void>;
}

const RESTART_MS = 1_000;
const PUBLISH_EVERY_MS = 2_000;

export async function openLocalModels(config: Config): Promise<LocalModels> {
  const { local } = config;
  const store = openStore(local.directory);
  let records = new Map<string, ModelRecord>();
  const isOn = config.engines?.includes(LOCAL_ENGINE) !== false;
  const read = async () => {
    if (isOn) records = new Map((await store.records()).map((record) => [record.name, record]));
  };
  const pulledAt = () => [...records.values()].map(({ name, pulled_at }) => `${name} ${pulled_at}`).join();

  async function open(tools: LocalTools, closers: AsyncDisposableStack): Promise<Engine[]> {
    await read();
    if (!isOn || (records.size === 0 && !local.isWanted)) return [];
    const running = await openRunning(local.directory, tools.process);
    closers.defer(() => running.close());
    const publish = async () => await running.publish(await servers.views());
    const servers = createServers({
      specOf(name) {
        const record = records.get(name);
        return record === undefined ? null : modelServer(record, store, local.program, local.environment);
      },
      limits: {
        ...{ memoryBytes: local.memoryBytes, idleMs: local.idleMs, loadMs: local.loadMs, stallMs: local.stallMs },
        ...{ atOnce: local.servers, restartMs: RESTART_MS },
      },
      temporaryDirectory: tools.temporaryDirectory,
      onChange(model, state, reason) {
        logChange(tools.log, { model, state, reason });
        void publish();
      },
    });
    closers.defer(() => servers.close());
    const timer = setInterval(() => void publish(), PUBLISH_EVERY_MS);
    timer.unref();
    closers.defer(() => clearInterval(timer));
    const engine = createLocalEngine({
      ...tools,
      concurrency: local.servers + 1,
      orderLimitMs: config.hardDeadlineMs,
      servers: {
        use: (model, signal) => servers.use(model, signal),
        async models() {
          const before = pulledAt();
          await read();
          if (pulledAt() !== before) await tools.reloadCatalog();
          const names = [...records.keys()];
          const refused = names.flatMap((name) => {
            const reason = servers.refusal(name);
            return reason === null ? [] : [[name, reason] as const];
          });
          const refusedNames = new Map(refused);
          return { usable: names.filter((name) => !refusedNames.has(name)), refused: refusedNames };
        },
      },
    });
    tools.log.info({ engine: engine.name, models: [...records.keys()] }, 'engine enabled');
    return [engine];
  }

  return {
    async readEntries() {
      await read();
      return catalogEntries([...records.values()]);
    },
    openEngines: open,
  };
}

function logChange(
  log: Log,
  change: { readonly model: string; readonly state: string; readonly reason: string | null },
) {
  const isFailure = change.reason !== null && (change.state === 'stopped' || change.state === 'unavailable');
  if (isFailure) log.warn(change, 'the server of a local model ended');
  else log.debug(change, 'the server of a local model changed its state');
}
