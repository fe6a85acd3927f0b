import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { modelIdsOf } from '../catalog-entries.ts';
import { LOCAL_ENGINE } from '../entry-parts.ts';
import { describeExpectedTime } from '../expected-seconds.ts';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import { type Manifests, type ModelManifest, sizeOf } from '../manifest.ts';
import { listedName } from '../own-servers/own-server.ts';
import type { PullStatus } from '../pull-status.ts';
import { readRunning } from '../running.ts';
import type { NetworkView } from '../servers/network.ts';
import type { ServerView } from '../servers/server-spec.ts';
import type { LocalStore, ModelRecord } from '../store.ts';
import type {
  LocalFailureView,
  LocalModelsView,
  LocalModelView,
  LocalPullView,
  LocalServerView,
} from './local-wire.ts';

interface Facts {
  readonly manifests: Manifests;
  readonly failures: ReadonlyMap<string, LocalFailureView>;
  readonly pull: PullStatus | null;
  readonly platform: string;
  /** Variants of builds that suit this machine, the best first. */
  readonly variants: readonly string[];
  readonly cores: number;
  readonly memory: number;
  /** Network access of the servers that Darkroom starts. */
  readonly network: NetworkView;
}

/** Returns the models that this machine offers and could offer. */
export async function viewMachine(
  { engines, settings }: Pick<Kernel, 'engines' | 'settings'>,
  store: LocalStore,
  facts: Facts,
): Promise<LocalModelsView> {
  const local = settings.of(LOCAL_SETTINGS);
  const records = new Map((await store.records()).map((record) => [record.name, record]));
  const servers = new Map((await readRunning(local.directory)).map((server) => [server.name, server]));
  const serverOf = (name: string) => viewServer(servers.get(name));
  const { models } = facts.manifests;
  const items = [...models.values()].map(async (manifest) => {
    const record = records.get(manifest.name) ?? null;
    const { id, acceptance } = manifest.licence;
    const mustBeAccepted = acceptance && !(await store.isAccepted(manifest.name, id));
    return viewModel(manifest, record, { ...facts, mustBeAccepted, server: serverOf(manifest.name) });
  });
  // The manifest with which a model was pulled may be gone.
  const others = [...records.values()].filter(({ name }) => !models.has(name));
  // The first pull makes the directory, in that of the data.
  const disk = await statfs(local.directory)
    .catch(() => statfs(dirname(local.directory)))
    .catch(() => null);
  return {
    items: [...(await Promise.all(items)), ...others.map((record) => viewOrphan(record, serverOf(record.name)))],
    own_servers: local.ownServers.map((server) => ({
      name: listedName(server),
      api: server.api,
      model_ids: server.models.flatMap(({ entry }) => entry?.modelId ?? []),
      memory_bytes: server.memoryBytes,
      server: serverOf(listedName(server)),
    })),
    is_on: engines.operated.has(LOCAL_ENGINE),
    machine: {
      platform: facts.platform,
      memory_bytes: facts.memory,
      free_bytes: disk === null ? null : disk.bavail * disk.bsize,
      network: facts.network,
    },
  };
}

type Seen = Facts & { readonly mustBeAccepted: boolean; readonly server: LocalServerView | null };

function viewModel(manifest: ModelManifest, record: ModelRecord | null, seen: Seen): LocalModelView {
  const { name, title, type, licence } = manifest;
  const { manifests, platform, variants, cores, failures, pull } = seen;
  const own = (manifests.engines.get(manifest.engine)?.builds ?? []).filter((build) => build.platform === platform);
  const builds = own.map(({ variant }) => variant);
  const suggested = variants.find((variant) => builds.includes(variant)) ?? builds[0] ?? null;
  const size = sizeOf(manifest);
  const isPulling = pull?.name === name;
  return {
    name,
    title,
    type,
    builds,
    server: seen.server,
    state: isPulling ? 'pulling' : record === null ? 'not_pulled' : 'pulled',
    model_ids: modelIdsOf({ name, type, edits: manifest.edits ?? false }),
    licence: { id: licence.id, must_be_accepted: seen.mustBeAccepted },
    bytes: record === null ? (size?.bytes ?? null) : bytesOf(record),
    is_exact: record !== null || size?.isExact === true,
    memory_bytes: manifest.memory_bytes,
    time: describeExpectedTime(manifest, suggested, cores),
    build: record === null ? suggested : record.build,
    pulled_at: record?.pulled_at ?? null,
    pull: isPulling ? viewPull(pull) : null,
    failure: failures.get(name) ?? null,
  };
}

function viewOrphan(record: ModelRecord, server: LocalServerView | null): LocalModelView {
  const { name, title, type, licence, build, pulled_at } = record;
  return {
    name,
    title,
    type,
    build,
    pulled_at,
    server,
    state: 'pulled',
    builds: [],
    model_ids: modelIdsOf({ name, type, edits: record.edits }),
    licence: { id: licence, must_be_accepted: false },
    bytes: bytesOf(record),
    is_exact: true,
    memory_bytes: record.memory_bytes,
    time: null,
    pull: null,
    failure: null,
  };
}

function bytesOf({ files }: ModelRecord): number {
  return files.filter(({ role }) => role !== 'engine').reduce((sum, { bytes }) => sum + bytes, 0);
}

function viewPull({ name: _, ...status }: PullStatus): LocalPullView {
  const { total_bytes: total, done_bytes: done, bytes_per_second: speed } = status;
  const isTold = total !== null && speed !== null && speed >= 1;
  return { ...status, seconds_left: isTold ? Math.max(0, Math.ceil((total - done) / speed)) : null };
}

function viewServer(server: ServerView | undefined): LocalServerView | null {
  if (server === undefined) return null;
  const { state, reason, network, memory_bytes, step, started_at, log } = server;
  return { state, reason, network, memory_bytes, step, started_at, log };
}
