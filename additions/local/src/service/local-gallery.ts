import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { cutText, ServiceError } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { loadPart } from '@darkroom-service/media/process';
import { checkMemory } from '../check-machine.ts';
import { chooseBuild } from '../choose-build.ts';
import { suitableVariants } from '../hardware.ts';
import { LocalFault } from '../local-fault.ts';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import { loadManifests, type Manifests, type ModelManifest } from '../manifest.ts';
import type { Pull } from '../pull-model.ts';
import { beginningOf, type PullStatus, publishPull, readPull } from '../pull-status.ts';
import { readRunning } from '../running.ts';
import { createServerNetwork } from '../servers/network.ts';
import { openStore } from '../store.ts';
import { wantedBuild, wantedHubFile } from '../wanted-file.ts';
import type { LocalGallery, PullChoices } from './gallery.ts';
import { createLocalChanges } from './local-changes.ts';
import type { LocalFailureView, LocalModelView } from './local-wire.ts';
import { viewMachine } from './view-local-models.ts';

interface RunningPull {
  readonly name: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  readonly beginning: PullStatus;
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** Opens the models of this machine for operators. At most one pull runs at a time. */
export function openLocalGallery(
  kernel: Pick<Kernel, 'clock' | 'engines' | 'log' | 'models' | 'settings'>,
  closers: AsyncDisposableStack,
): LocalGallery {
  const { log, models, settings } = kernel;
  const now = () => kernel.clock.now();
  const local = settings.of(LOCAL_SETTINGS);
  const store = openStore(local.directory);
  const network = createServerNetwork(local.network, local.environment.PATH);
  const failures = new Map<string, LocalFailureView>();
  let current: RunningPull | null = null;
  const directories = models.directories.map((directory) => join(directory, 'local'));
  const manifestsNow = () => explained(() => loadManifests(directories));
  closers.defer(async () => {
    current?.stop.abort();
    await current?.ended;
  });

  async function readAll() {
    const manifests = await manifestsNow();
    const variants = await suitableVariants();
    const facts = { manifests, failures, platform: PLATFORM, variants, cores: availableParallelism() };
    const pull = await pullNow();
    return await viewMachine(kernel, store, { ...facts, memory: totalmem(), network: await network.view(), pull });
  }

  async function pullNow(): Promise<PullStatus | null> {
    // Its first status may not be written yet.
    return (await readPull(store)) ?? current?.beginning ?? null;
  }

  const changes = createLocalChanges(async () => ({
    pull: await pullNow(),
    failures,
    records: await store.records(),
    servers: await readRunning(local.directory),
  }));

  async function viewOf(name: string): Promise<LocalModelView> {
    const found = (await readAll()).items.find((one) => one.name === name);
    if (found === undefined) throw unknown(name);
    return found;
  }

  /** Runs the pull to its end. Never rejects: the operator sees failures in the list. */
  async function run(pull: Pull, choices: PullChoices, signal: AbortSignal): Promise<void> {
    const { name } = pull.manifest;
    // Loaded here with the HTTP client, which few services need for this.
    const { executePlan, openHubs, planModel } = await loadPart(() => import('../pull-model.ts'));
    const hubs = openHubs({ ...local, ...settings.outgoing });
    const published = publishPull(store, name, now);
    const failed = (message: string, unverified: LocalFailureView['unverified'] = []) =>
      failures.set(name, { message, unverified, at: new Date(now()).toISOString() });
    try {
      const plan = await planModel(pull, { store, hubs, signal });
      published.planned(plan);
      const unverified = plan.files.flatMap((file) =>
        file.unverified.length === 0 ? [] : [{ file: file.name, facts: [...file.unverified] }],
      );
      if (unverified.length > 0 && !choices.acceptUnverified) {
        failed('Some facts are not verified: only the hub tells them. Nothing was downloaded.', unverified);
        return;
      }
      const onProgress = published.progress;
      await executePlan(plan, { store, signal, onProgress, now });
      log.info({ model: name }, 'local model pulled');
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof LocalFault)) log.error({ err: error, model: name }, 'pull of a local model failed');
      failed(error instanceof LocalFault ? error.message : 'It failed for a reason that is in the log of the service.');
    } finally {
      await Promise.all([published.close(), hubs.close()]);
    }
  }

  return {
    list: readAll,
    watch: changes.watch,
    async pull(name, choices) {
      const manifests = await manifestsNow();
      const manifest = manifestOf(manifests, name);
      const pull = await explained(async () => {
        const variants = await suitableVariants();
        const build = chooseBuild(manifests, manifest, PLATFORM, choices.build ?? null, variants);
        if (!choices.ignoreMemory) checkMemory(manifest.memory_bytes, totalmem());
        return { manifest, build };
      });
      const { id, acceptance } = manifest.licence;
      if (acceptance && !(await store.isAccepted(name, id))) {
        if (!choices.acceptLicence)
          throw new ServiceError('invalid_request', `Read the ${id}, then send accept_licence: true.`, {
            param: 'accept_licence',
          });
        await store.recordAcceptance(name, id, new Date(now()).toISOString());
      }
      const lock = await explained(async () => store.lock());
      failures.delete(name);
      const stop = new AbortController();
      const ended = run(pull, choices, stop.signal).finally(() => {
        lock.release();
        current = null;
      });
      current = { name, stop, ended, beginning: beginningOf(name, now()) };
      return await viewOf(name);
    },
    async cancel(name) {
      manifestOf(await manifestsNow(), name);
      if (current?.name === name) {
        const { stop, ended } = current;
        stop.abort();
        await ended;
        return await viewOf(name);
      }
      const other = await readPull(store);
      throw new ServiceError(
        'invalid_request',
        other?.name === name
          ? `${name} is being pulled by another process of this machine. End it there.`
          : `${name} is not being pulled.`,
      );
    },
    async remove(name) {
      const manifests = await manifestsNow();
      const manifest = manifests.models.get(name);
      const record = await store.record(name);
      if (manifest === undefined && record === null) throw unknown(name);
      const builds = manifests.engines.get(manifest?.engine ?? '')?.builds ?? [];
      const lock = await explained(async () => store.lock());
      try {
        const files = [...(manifest?.files ?? []).map(wantedHubFile), ...builds.flatMap(wantedBuild)];
        const bytes = await store.remove(name, files);
        failures.delete(name);
        return { name, bytes, removed: record !== null || bytes > 0 };
      } finally {
        lock.release();
      }
    },
  };
}

function manifestOf({ models }: Manifests, name: string): ModelManifest {
  const found = models.get(name);
  if (found === undefined) throw unknown(name);
  return found;
}

function unknown(name: string): ServiceError {
  return new ServiceError('not_found', `There is no model '${cutText(name, 64)}' to pull.`);
}

/** Converts a fault of the machine or the directory to an answer. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LocalFault) throw new ServiceError('invalid_request', error.message);
    throw error;
  }
}
