import { availableParallelism, totalmem } from 'node:os';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../config/config.ts';
import { checkMemory, checkSpace } from '../local/check-machine.ts';
import { chooseBuild } from '../local/choose-build.ts';
import { executePull } from '../local/execute-pull.ts';
import { describeExpectedTime } from '../local/expected-seconds.ts';
import { suitableVariants } from '../local/hardware.ts';
import type { EngineBuild, ModelManifest } from '../local/manifest.ts';
import { planImport } from '../local/plan-import.ts';
import { type PlannedFile, planPull } from '../local/plan-pull.ts';
import type { LocalStore, ModelRecord } from '../local/store.ts';
import { createTransport } from '../local/transport.ts';
import { wantedBuild, wantedHubFile } from '../local/wanted-file.ts';
import { askYes } from './ask.ts';
import { formatBytes } from './byte-size.ts';
import { CommandFault } from './command-fault.ts';
import { watchInterruption } from './interruption.ts';
import { findManifest, openLocalModels } from './local-models.ts';
import { type OutputOptions, show, table, tell } from './output.ts';
import { createProgressBar } from './progress-bar.ts';
import { createPullProgress } from './pull-progress.ts';

interface PullOptions extends OutputOptions {
  readonly build?: string;
  readonly from?: string;
  readonly acceptLicence?: true;
  readonly yes?: true;
  readonly force?: true;
}

const PUBLIC_HUB = 'https://huggingface.co';
const PUBLIC_RELEASES = 'https://github.com';
const IDLE_MS = 30_000;
const FIRST_PAUSE_MS = 500;

/** Downloads or imports the files of a model and records it. */
export async function pullModel(name: string, options: PullOptions): Promise<void> {
  const { config, manifests, store } = await openLocalModels();
  const manifest = findManifest(manifests, name);
  const platform = `${process.platform}-${process.arch}`;
  const build = chooseBuild(manifests, manifest, platform, options.build ?? null, await suitableVariants());
  if (options.force !== true) checkMemory(manifest.memory_bytes, totalmem());
  await acceptLicence(manifest, store, options);
  const lock = store.lock();
  const { signal, release } = watchInterruption();
  try {
    const record = await load(manifest, build, { config, store, signal, options });
    const bytes = record.files.reduce((sum, file) => sum + file.bytes, 0);
    const text = `${name} is stored and checked: ${record.files.length} files, ${formatBytes(bytes)}. ${howToOrder(manifest)}`;
    show(options, { json: record, text });
  } catch (error) {
    if (!signal.aborted) throw error;
    const message = 'Interrupted. What arrived is kept; run the same command again to go on.';
    throw new CommandFault(message, { exitCode: 130, document: { error: { code: 'interrupted', message } } });
  } finally {
    release();
    lock.release();
  }
}

interface Load {
  readonly config: Config;
  readonly store: LocalStore;
  readonly signal: AbortSignal;
  readonly options: PullOptions;
}

async function load(manifest: ModelManifest, build: EngineBuild | null, work: Load): Promise<ModelRecord> {
  const { config, store, signal, options } = work;
  const wanted = [...manifest.files.map(wantedHubFile), ...(build === null ? [] : [wantedBuild(build)])];
  const hubs = openHubs(config);
  const bar = createProgressBar(!options.json);
  try {
    const planned = await (options.from === undefined
      ? planPull(wanted, { store, hubs, signal, pauseMs: FIRST_PAUSE_MS })
      : planImport(wanted, options.from, { store, signal }));
    const missing = planned.reduce((sum, { missingBytes }) => sum + missingBytes, 0);
    await checkSpace(store.directory, missing);
    tell(options, describePlan(manifest, planned, missing));
    tell(options, describeExpectedTime(manifest, build?.variant ?? null, availableParallelism()));
    await agree(planned, options);
    await store.lockFacts(Object.fromEntries(planned.map(({ wanted: { id }, facts }) => [id, facts])));
    const total = planned.reduce((sum, { facts }) => sum + facts.bytes, 0);
    const files = await executePull(planned, {
      store,
      signal,
      connections: config.local.connections,
      onProgress: createPullProgress(bar, { doneBytes: total - missing, totalBytes: total }),
      pauseMs: FIRST_PAUSE_MS,
    });
    const record = recordOf(manifest, build, files);
    await store.writeRecord(record);
    return record;
  } finally {
    bar.clear();
    await Promise.all([hubs.hub.close(), hubs.releases.close()]);
  }
}

function openHubs({ local: { hubUrl, releasesUrl, proxy }, allowedAddresses }: Config) {
  const open = (mirror: string | null, usual: string) =>
    createTransport({ base: mirror ?? usual, isMirror: mirror !== null, allowedAddresses, proxy, idleMs: IDLE_MS });
  return { hub: open(hubUrl, PUBLIC_HUB), releases: open(releasesUrl, PUBLIC_RELEASES) };
}

async function acceptLicence(manifest: ModelManifest, store: LocalStore, options: PullOptions): Promise<void> {
  const { id, acceptance } = manifest.licence;
  tell(options, `${manifest.title}. Licence: ${id}.`);
  if (!acceptance || (await store.isAccepted(manifest.name, id))) return;
  const isAccepted =
    options.acceptLicence === true ||
    (await askYes(`Do you accept the ${id}?`, `Read the ${id}, then add --accept-licence.`));
  if (!isAccepted) throw new CommandFault('The licence was not accepted. Nothing was downloaded.');
  await store.recordAcceptance(manifest.name, id, new Date(systemClock.now()).toISOString());
}

async function agree(planned: readonly PlannedFile[], options: PullOptions): Promise<void> {
  if (options.yes === true || planned.every(({ unverified }) => unverified.length === 0)) return;
  const question = 'Some facts are not verified: only the hub tells them. Use them now and for each later pull?';
  if (!(await askYes(question, 'Add --yes to agree to the facts marked "unverified".')))
    throw new CommandFault('Nothing was downloaded.');
}

function describePlan(manifest: ModelManifest, planned: readonly PlannedFile[], missing: number): string {
  const rows = planned.map(({ name, facts, source, unverified }) => [
    ...[name, formatBytes(facts.bytes), facts.sha256?.slice(0, 12) ?? '-', source.kind === 'stored' ? 'yes' : 'no'],
    unverified.join(', ') || '-',
  ]);
  const memory = manifest.memory_bytes === null ? 'not known' : formatBytes(manifest.memory_bytes);
  const list = table(['FILE', 'SIZE', 'SHA-256', 'STORED', 'UNVERIFIED'], rows);
  return `${list}\nStill to load: ${formatBytes(missing)}. Memory needed: ${memory}.`;
}

function howToOrder({ name, type }: ModelManifest): string {
  if (type === 'video') return 'Darkroom offers no videos of its own servers yet; see docs/local.md.';
  return `Order it as local-${name}. A service that had no local model when it was started must be restarted once.`;
}

function recordOf(manifest: ModelManifest, build: EngineBuild | null, files: ModelRecord['files']): ModelRecord {
  const { name, title, type, engine, parameters, licence } = manifest;
  return {
    ...{ name, title, type, engine, parameters, files },
    ...{ arguments: manifest.arguments ?? [], edits: manifest.edits ?? false, memory_bytes: manifest.memory_bytes },
    build: build === null ? null : `${build.platform} ${build.variant} ${build.tag}`,
    licence: licence.id,
    pulled_at: new Date(systemClock.now()).toISOString(),
  };
}
