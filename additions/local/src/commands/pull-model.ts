import { availableParallelism, totalmem } from 'node:os';
import { systemClock, world } from '@darkroom-service/contract';
import type { Config } from '@darkroom-service/darkroom/kernel';
import {
  CommandFault,
  createProgressBar,
  formatBytes,
  inform,
  type OutputOptions,
  requireYes,
  show,
  table,
  watchInterruption,
} from '@darkroom-service/darkroom/kernel-cli';
import { checkMemory } from '../check-machine.ts';
import { chooseBuild } from '../choose-build.ts';
import type { PullProgress } from '../execute-pull.ts';
import { describeExpectedTime } from '../expected-seconds.ts';
import { suitableVariants } from '../hardware.ts';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import type { ModelManifest } from '../manifest.ts';
import type { PlannedFile } from '../plan-pull.ts';
import { executePlan, openHubs, type Pull, planModel } from '../pull-model.ts';
import { publishPull } from '../pull-status.ts';
import type { LocalStore, ModelRecord } from '../store.ts';
import { createTransferRate } from '../transfer-rate.ts';
import { findManifest, openLocalModels } from './local-models.ts';

interface PullOptions extends OutputOptions {
  readonly build?: string;
  readonly from?: string;
  readonly acceptLicence?: true;
  readonly yes?: true;
  readonly force?: true;
}

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
    const record = await load({ manifest, build }, { config, store, signal, options });
    const bytes = record.files.reduce((sum, file) => sum + file.bytes, 0);
    const text = `${name} is stored and checked: ${record.files.length} files, ${formatBytes(bytes)}. ${howToOrder(manifest)}`;
    show(options, { json: record, text });
  } catch (error) {
    if (!signal.aborted) throw error;
    const message = 'Interrupted. The downloaded part is kept; run the same command again to continue.';
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

async function load(pull: Pull, { config, store, signal, options }: Load): Promise<ModelRecord> {
  const { manifest, build } = pull;
  const local = config.of(LOCAL_SETTINGS);
  const { outgoing } = config;
  const bar = createProgressBar(!options.json);
  const onWait = (message: string) => {
    bar.clear();
    inform(options, message);
  };
  const hubs = openHubs({ ...local, ...outgoing }, onWait);
  const published = publishPull(store, manifest.name, () => systemClock.now());
  try {
    const plan = await planModel(pull, { store, hubs, signal, from: options.from, onWait });
    published.planned(plan);
    inform(options, describePlan(manifest, plan.files, plan.missingBytes));
    inform(options, describeExpectedTime(manifest, build?.variant ?? null, availableParallelism()));
    await agree(plan.files, options);
    const { missingBytes, totalBytes } = plan;
    const draw = createPullProgress(bar, { doneBytes: totalBytes - missingBytes, totalBytes });
    return await executePlan(plan, {
      store,
      signal,
      onWait,
      now: () => systemClock.now(),
      onProgress(progress) {
        draw(progress);
        published.progress(progress);
      },
    });
  } finally {
    bar.clear();
    await Promise.all([published.close(), hubs.close()]);
  }
}

async function acceptLicence(manifest: ModelManifest, store: LocalStore, options: PullOptions): Promise<void> {
  const { id, acceptance } = manifest.licence;
  inform(options, `${manifest.title}. Licence: ${id}.`);
  if (!acceptance || (await store.isAccepted(manifest.name, id))) return;
  const isAccepted =
    options.acceptLicence === true ||
    (await requireYes(`Do you accept the ${id}?`, `Read the ${id}, then add --accept-licence.`));
  if (!isAccepted) throw new CommandFault('The licence was not accepted. Nothing was downloaded.');
  await store.recordAcceptance(manifest.name, id, new Date(systemClock.now()).toISOString());
}

async function agree(planned: readonly PlannedFile[], options: PullOptions): Promise<void> {
  if (options.yes === true || planned.every(({ unverified }) => unverified.length === 0)) return;
  const question = 'Some facts are not verified: only the hub tells them. Use them now and for each later pull?';
  if (!(await requireYes(question, 'Add --yes to agree to the facts marked "unverified".')))
    throw new CommandFault('Nothing was downloaded.');
}

function describePlan(manifest: ModelManifest, planned: readonly PlannedFile[], missing: number): string {
  const rows = planned.map(({ name, facts, source, unverified }) => [
    name,
    formatBytes(facts.bytes),
    facts.sha256?.slice(0, 12) ?? '-',
    source.kind === 'stored' ? 'yes' : 'no',
    unverified.join(', ') || '-',
  ]);
  const memory = manifest.memory_bytes === null ? 'not known' : formatBytes(manifest.memory_bytes);
  const list = table(['FILE', 'SIZE', 'SHA-256', 'STORED', 'UNVERIFIED'], rows);
  return `${list}\nStill to load: ${formatBytes(missing)}. Memory needed: ${memory}.`;
}

function howToOrder({ name }: ModelManifest): string {
  return `Order it as local-${name}. A running service offers it within seconds.`;
}

/** Draws a download's share, speed and time left, several times a second at most. */
function createPullProgress(
  bar: ReturnType<typeof createProgressBar>,
  { doneBytes, totalBytes }: { readonly doneBytes: number; readonly totalBytes: number },
  now: () => number = () => world.now(),
): (progress: PullProgress) => void {
  const rate = createTransferRate(now);
  let done = doneBytes;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return ({ name, work, bytes }) => {
    if (work !== 'checking') {
      done += bytes;
      rate.add(bytes);
    }
    if (now() - drawnAt < 200) return;
    drawnAt = now();
    const percent = totalBytes === 0 ? 100 : (done / totalBytes) * 100;
    bar.draw(percent, work === 'checking' ? `checking ${name}` : `${describeSpeed(rate.perSecond())}  ${name}`);
  };

  function describeSpeed(perSecond: number | null): string {
    if (perSecond === null || perSecond < 1) return formatBytes(done);
    return `${formatBytes(perSecond)}/s, ${describeSeconds((totalBytes - done) / perSecond)} left`;
  }
}

function describeSeconds(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
