import type { ModelManifest } from '../local/manifest.ts';
import { readRunning } from '../local/running.ts';
import type { ServerView } from '../local/servers/server-spec.ts';
import type { ModelRecord } from '../local/store.ts';
import { wantedBuild, wantedHubFile } from '../local/wanted-file.ts';
import { formatBytes } from './byte-size.ts';
import { CommandFault } from './command-fault.ts';
import { findManifest, openLocalModels, sizeOf } from './local-models.ts';
import { type OutputOptions, show, table } from './output.ts';

export async function list(options: OutputOptions): Promise<void> {
  const { manifests, store } = await openLocalModels();
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
    server: servers.get(manifest.name) ?? null,
  }));
  // A manifest may be gone that a model was pulled with.
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
      server: servers.get(name) ?? null,
    });
  }
  const rows = items.map((one) => [
    ...[one.name, one.type, one.pulled ? 'yes' : 'no', one.bytes === null ? null : formatBytes(one.bytes)],
    ...[one.memory_bytes === null ? null : formatBytes(one.memory_bytes), one.licence, one.server?.state ?? null],
  ]);
  show(options, {
    json: { items },
    text: table(['NAME', 'TYPE', 'PULLED', 'SIZE', 'MEMORY', 'LICENCE', 'SERVER'], rows),
  });
}

export async function showModel(name: string, options: OutputOptions): Promise<void> {
  const { manifests, store } = await openLocalModels();
  const record = await store.record(name);
  if (record === null) {
    const manifest = findManifest(manifests, name);
    return show(options, { json: { pulled: false, manifest }, text: describeManifest(manifest) });
  }
  const files = record.files.map((file) => ({ ...file, path: store.blobPath(file.sha256) }));
  const rows = files.map((file) => [file.role, file.name, formatBytes(file.bytes), file.digest_from, file.path]);
  const heading = `${record.title}, pulled ${record.pulled_at}. Licence: ${record.licence}. Engine: ${record.engine} (${record.build ?? 'no build pulled'}).`;
  const servers = (await readRunning(store.directory)).filter((server) => server.name === name);
  const text = `${heading}\n${table(['ROLE', 'FILE', 'SIZE', 'DIGEST FROM', 'PATH'], rows)}${servers.map(describeServer).join('')}`;
  show(options, { json: { pulled: true, ...record, files, servers }, text });
}

export async function remove(name: string, options: OutputOptions): Promise<void> {
  const { manifests, store } = await openLocalModels();
  const manifest = manifests.models.get(name);
  const record = await store.record(name);
  if (manifest === undefined && record === null) findManifest(manifests, name);
  const builds = manifests.engines.get(manifest?.engine ?? '')?.builds ?? [];
  const lock = store.lock();
  try {
    const freed = await store.remove(name, [...(manifest?.files ?? []).map(wantedHubFile), ...builds.map(wantedBuild)]);
    if (record === null && freed === 0) throw new CommandFault(`${name} is not pulled. There is nothing to remove.`);
    show(options, { json: { removed: name, bytes: freed }, text: `Removed ${name}: ${formatBytes(freed)} freed.` });
  } finally {
    lock.release();
  }
}

function describeServer({ state, reason, pid, port, memory_bytes: memory, step, log }: ServerView): string {
  const facts = [
    `Server: ${state}`,
    ...(reason === null ? [] : [`last failure: ${reason}`]),
    ...(pid === null ? [] : [`process ${pid}, port ${port}`]),
    ...(memory === null ? [] : [`memory ${formatBytes(memory)}`]),
    ...(step === null ? [] : [`step ${step.done} of ${step.total}`]),
  ];
  return `\n${facts.join('; ')}${log.map((line) => `\n  ${line}`).join('')}`;
}

function pulledBytes(record: ModelRecord | undefined): number | null {
  return record === undefined ? null : record.files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function describeManifest(manifest: ModelManifest): string {
  const rows = manifest.files.map((file) => [
    ...[file.role, file.repository, file.path, file.revision],
    ...[file.bytes ?? (file.about_bytes === null ? null : `about ${formatBytes(file.about_bytes)}`), file.sha256],
  ]);
  const size = sizeOf(manifest);
  const told = size === null ? 'not known' : `${size.isExact ? '' : 'about '}${formatBytes(size.bytes)}`;
  const heading = `${manifest.title}, not pulled. Size: ${told}. Licence: ${manifest.licence.id}. Pull it: darkroom pull ${manifest.name}`;
  return `${heading}\n${table(['ROLE', 'REPOSITORY', 'FILE', 'REVISION', 'BYTES', 'SHA-256'], rows)}`;
}
