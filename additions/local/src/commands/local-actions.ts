import { existsSync } from 'node:fs';
import type { Config } from '@darkroom-service/darkroom/kernel';
import {
  CommandFault,
  formatBytes,
  type OutputOptions,
  show,
  table,
  withLocalData,
} from '@darkroom-service/darkroom/kernel-cli';
import { catalogEntries } from '../catalog-entries.ts';
import { LOCAL_ENGINE, LOCAL_VENDOR } from '../entry-parts.ts';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import { type EngineBuild, type Manifests, type ModelManifest, sizeOf } from '../manifest.ts';
import { listedName } from '../own-servers/own-server.ts';
import { readRunning } from '../running.ts';
import type { ServerView } from '../servers/server-spec.ts';
import type { ModelRecord } from '../store.ts';
import { wantedBuild, wantedHubFile } from '../wanted-file.ts';
import { countOpenOrders } from './count-open-orders.ts';
import { findManifest, findOwnServer, openLocalModels } from './local-models.ts';

export async function list(options: OutputOptions): Promise<void> {
  const { manifests, store, config } = await openLocalModels();
  const servers = new Map((await readRunning(store.directory)).map((server) => [server.name, server]));
  const records = new Map((await store.records()).map((record) => [record.name, record]));
  const items = [...manifests.models.values()].map((manifest) => ({
    name: manifest.name,
    title: manifest.title,
    type: manifest.type,
    pulled: records.has(manifest.name),
    bytes: pulledBytes(records.get(manifest.name)) ?? sizeOf(manifest)?.bytes ?? null,
    memory_bytes: manifest.memory_bytes,
    licence: manifest.licence.id,
    builds: ownVariants(manifests, manifest),
    server: servers.get(manifest.name) ?? null,
  }));
  // The manifest with which a model was pulled may be gone.
  const others = [...records.values()].filter(({ name }) => !manifests.models.has(name));
  for (const record of others) {
    const { name, title, type, licence } = record;
    items.push({
      name,
      title,
      type,
      pulled: true,
      bytes: pulledBytes(record),
      memory_bytes: null,
      licence,
      builds: [],
      server: servers.get(name) ?? null,
    });
  }
  const rows = items.map((one) => [
    one.name,
    one.type,
    one.pulled ? 'yes' : 'no',
    one.bytes === null ? null : formatBytes(one.bytes),
    one.memory_bytes === null ? null : formatBytes(one.memory_bytes),
    one.licence,
    one.builds.join(', ') || null,
    one.server?.state ?? null,
  ]);
  const own = config.of(LOCAL_SETTINGS).ownServers.map((server) => {
    const { api, models, memoryBytes } = server;
    const ids = models.flatMap(({ entry }) => entry?.modelId ?? []);
    const view = servers.get(listedName(server)) ?? null;
    return { name: listedName(server), api, models: ids, memory_bytes: memoryBytes, server: view };
  });
  const ownRows = own.map(({ name, api, models, memory_bytes: memory, server }) => [
    name,
    api,
    models.join(', '),
    memory === null ? null : formatBytes(memory),
    server?.state ?? null,
  ]);
  const ownText = own.length === 0 ? '' : `\n\n${table(['OWN SERVER', 'API', 'MODELS', 'MEMORY', 'SERVER'], ownRows)}`;
  show(options, {
    json: { items, own },
    text: `${table(['NAME', 'TYPE', 'PULLED', 'SIZE', 'MEMORY', 'LICENCE', 'BUILDS', 'SERVER'], rows)}${ownText}`,
  });
}

export async function showModel(name: string, options: OutputOptions & { readonly entry?: true }): Promise<void> {
  const { manifests, store, config } = await openLocalModels();
  const own = findOwnServer(config.of(LOCAL_SETTINGS).ownServers, name);
  if (own !== null) {
    const servers = (await readRunning(store.directory)).filter((server) => server.name === name);
    // Its arguments may hold secrets of the environment.
    const { api, port, command } = own;
    const facts = { name, api, port: port ?? 'auto', program: command[0] };
    const heading = `${name}, ${api}, port ${facts.port}, program ${facts.program}`;
    return show(options, { json: { ...facts, servers }, text: `${heading}${servers.map(describeServer).join('')}` });
  }
  const record = await store.record(name);
  if (options.entry === true) {
    if (record === null) throw new CommandFault(`${name} is not pulled, so it has no catalog entry.`);
    const models = catalogEntries([record]);
    return show(options, {
      json: { vendor: LOCAL_VENDOR, models },
      text: JSON.stringify({ vendor: LOCAL_VENDOR, models }, null, 2),
    });
  }
  if (record === null) {
    const manifest = findManifest(manifests, name);
    const builds = buildsOf(manifests, manifest);
    return show(options, { json: { pulled: false, manifest, builds }, text: describeManifest(manifest, builds) });
  }
  const files = record.files.map((file) => ({ ...file, path: store.blobPath(file.sha256) }));
  const rows = files.map((file) => [file.role, file.name, formatBytes(file.bytes), file.digest_from, file.path]);
  const heading = `${record.title}, pulled ${record.pulled_at}. Licence: ${record.licence}. Engine: ${record.engine} (${record.build ?? 'no build pulled'}).`;
  const servers = (await readRunning(store.directory)).filter((server) => server.name === name);
  const text = `${heading}\n${table(['ROLE', 'FILE', 'SIZE', 'DIGEST FROM', 'PATH'], rows)}${servers.map(describeServer).join('')}`;
  show(options, { json: { pulled: true, ...record, files, servers }, text });
}

export async function remove(name: string, options: OutputOptions): Promise<void> {
  const { config, manifests, store } = await openLocalModels();
  const manifest = manifests.models.get(name);
  const record = await store.record(name);
  if (manifest === undefined && record === null) findManifest(manifests, name);
  const builds = manifest === undefined ? [] : buildsOf(manifests, manifest);
  const lock = store.lock();
  try {
    const waiting = record === null ? 0 : await ordersThatWait(config, name);
    const freed = await store.remove(name, [
      ...(manifest?.files ?? []).map(wantedHubFile),
      ...builds.flatMap(wantedBuild),
    ]);
    if (record === null && freed === 0) throw new CommandFault(`${name} is not pulled. There is nothing to remove.`);
    const told = waiting === 0 ? '' : ` ${describeWaiting(waiting)}`;
    const json = { removed: name, bytes: freed, waiting_orders: waiting };
    show(options, { json, text: `Removed ${name}: ${formatBytes(freed)} freed.${told}` });
  } finally {
    lock.release();
  }
}

/** Counts the live orders of a pulled model that have not ended. Without a database there are none. */
async function ordersThatWait(config: Config, model: string): Promise<number> {
  if (config.databaseUrl === null && !existsSync(config.databasePath)) return 0;
  return await withLocalData('refuse', ({ database }) =>
    countOpenOrders(database.read, { engine: LOCAL_ENGINE, model }),
  );
}

function describeWaiting(count: number): string {
  const orders = count === 1 ? 'One order waits' : `${count} orders wait`;
  return `${orders} for it or run. Those that a server makes now are delivered; the others fail and are not charged, unless another route can make them.`;
}

function describeServer({ state, reason, pid, port, network, memory_bytes: memory, step, log }: ServerView): string {
  const facts = [
    `Server: ${state}`,
    ...(reason === null ? [] : [`last failure: ${reason}`]),
    ...(pid === null ? [] : [`process ${pid}, port ${port}`]),
    ...(network === null ? [] : [`network ${network}`]),
    ...(memory === null ? [] : [`memory ${formatBytes(memory)}`]),
    ...(step === null ? [] : [`step ${step.done} of ${step.total}`]),
  ];
  return `\n${facts.join('; ')}${log.map((line) => `\n  ${line}`).join('')}`;
}

function pulledBytes(record: ModelRecord | undefined): number | null {
  return record === undefined ? null : record.files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function buildsOf({ engines }: Manifests, { engine }: ModelManifest): readonly EngineBuild[] {
  return engines.get(engine)?.builds ?? [];
}

/** Returns the variants of the engine's builds for this platform. */
function ownVariants(manifests: Manifests, manifest: ModelManifest): string[] {
  const platform = `${process.platform}-${process.arch}`;
  return buildsOf(manifests, manifest).flatMap((build) => (build.platform === platform ? [build.variant] : []));
}

function describeManifest(manifest: ModelManifest, builds: readonly EngineBuild[]): string {
  const rows = manifest.files.map((file) => [
    file.role,
    file.repository,
    file.path,
    file.revision,
    file.bytes ?? (file.about_bytes === null ? null : `about ${formatBytes(file.about_bytes)}`),
    file.sha256,
  ]);
  const size = sizeOf(manifest);
  const told = size === null ? 'not known' : `${size.isExact ? '' : 'about '}${formatBytes(size.bytes)}`;
  const heading = `${manifest.title}, not pulled. Size: ${told}. Licence: ${manifest.licence.id}. Pull it: darkroom pull ${manifest.name}`;
  return `${heading}\n${table(['ROLE', 'REPOSITORY', 'FILE', 'REVISION', 'BYTES', 'SHA-256'], rows)}${describeBuilds(builds)}`;
}

function describeBuilds(builds: readonly EngineBuild[]): string {
  const rows = builds.flatMap(({ platform, variant, tag, with: further = [], ...first }) =>
    [first, ...further].map(({ asset, sha256 }) => [platform, variant, tag, asset, sha256 ?? 'not known']),
  );
  return rows.length === 0 ? '' : `\n\n${table(['PLATFORM', 'BUILD', 'RELEASE', 'FILE', 'SHA-256'], rows)}`;
}
