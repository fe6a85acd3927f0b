import type { OutgoingProxies } from '@darkroom-service/media';
import { checkSpace, explainFullDisk } from './check-machine.ts';
import { executePull, type PullProgress } from './execute-pull.ts';
import type { Hubs } from './hub.ts';
import type { EngineBuild, ModelManifest } from './manifest.ts';
import { bytesInPart } from './part-file.ts';
import { planImport } from './plan-import.ts';
import { type PlannedFile, planPull } from './plan-pull.ts';
import type { LocalStore, ModelRecord } from './store.ts';
import { createTransport, type OnWait, type TransportOptions } from './transport.ts';
import { wantedBuild, wantedHubFile } from './wanted-file.ts';

/** A model with the engine's build that is pulled with it; null = the model alone. */
export interface Pull {
  readonly manifest: ModelManifest;
  readonly build: EngineBuild | null;
}

interface HubSettings {
  /** URL of the hub; null: the public one. */
  readonly hubUrl: string | null;
  readonly hubToken: string | null;
  readonly releasesUrl: string | null;
  readonly proxy: string | null;
  readonly allowedAddresses: readonly string[];
  readonly userAgent: string;
  readonly proxies: OutgoingProxies;
}

const PUBLIC_HUB = 'https://huggingface.co';
const PUBLIC_RELEASES = 'https://github.com';
const PUBLIC_RELEASES_API = 'https://api.github.com';
/** Path of the API at GitHub Enterprise Server: https://docs.github.com/en/enterprise-server/rest. */
const MIRROR_API_PATH = '/api/v3';
const TOKEN_VARIABLE = 'DARKROOM_LOCAL_HUB_TOKEN';
const IDLE_MS = 30_000;
const FIRST_PAUSE_MS = 500;
/** Number of concurrent requests for one file. */
const CONNECTIONS = 4;

/** Opens the transports to the hub and to the releases. The caller closes them. */
export function openHubs(settings: HubSettings, onWait?: OnWait): Hubs & { close(): Promise<void> } {
  const { hubUrl, hubToken, releasesUrl, proxy, allowedAddresses, userAgent, proxies } = settings;
  const common = {
    allowedAddresses,
    userAgent,
    proxies,
    proxy,
    idleMs: IDLE_MS,
    ...(onWait === undefined ? {} : { onWait }),
  };
  const open = (mirror: string | null, usual: string, account: Pick<TransportOptions, 'account'> = {}) =>
    createTransport({ base: mirror ?? usual, isMirror: mirror !== null, ...common, ...account });
  const hub = open(hubUrl, PUBLIC_HUB, { account: { token: hubToken, variable: TOKEN_VARIABLE } });
  const releases = open(releasesUrl, PUBLIC_RELEASES);
  return {
    hub,
    releases,
    releasesApi: releasesUrl === null ? PUBLIC_RELEASES_API : `${releasesUrl}${MIRROR_API_PATH}`,
    async close() {
      await Promise.all([hub.close(), releases.close()]);
    },
  };
}

/** The files of a pull, and the bytes that must still be loaded. */
export interface PullPlan extends Pull {
  readonly files: readonly PlannedFile[];
  readonly missingBytes: number;
  readonly totalBytes: number;
}

/**
 * Determines the missing files, and checks that there is room for them.
 * @param work.from a folder to import from; the network is not used then
 * @throws LocalFault
 */
export async function planModel(
  { manifest, build }: Pull,
  work: {
    readonly store: LocalStore;
    readonly hubs: Hubs;
    readonly signal: AbortSignal;
    readonly from?: string | undefined;
    readonly onWait?: OnWait;
  },
): Promise<PullPlan> {
  const { store, hubs, signal, from, onWait } = work;
  const wanted = [...manifest.files.map(wantedHubFile), ...(build === null ? [] : wantedBuild(build))];
  const files = await (from === undefined
    ? planPull(wanted, { store, hubs, signal, pauseMs: FIRST_PAUSE_MS, onWait })
    : planImport(wanted, from, { store, signal }));
  const missingBytes = files.reduce((sum, file) => sum + file.missingBytes, 0);
  const totalBytes = files.reduce((sum, { facts }) => sum + facts.bytes, 0);
  await checkSpace(store.directory, missingBytes);
  return { manifest, build, files, missingBytes, totalBytes };
}

/** Loads the files of a plan, and records the model once each is checked. @throws LocalFault */
export async function executePlan(
  { manifest, build, files }: PullPlan,
  work: {
    readonly store: LocalStore;
    readonly signal: AbortSignal;
    readonly onProgress: (progress: PullProgress) => void;
    readonly onWait?: OnWait;
    readonly now: () => number;
  },
): Promise<ModelRecord> {
  const { store, now } = work;
  await store.lockFacts(Object.fromEntries(files.map(({ wanted: { id }, facts }) => [id, facts])));
  const stored = await executePull(files, { ...work, connections: CONNECTIONS, pauseMs: FIRST_PAUSE_MS }).catch(
    async (error: unknown) => {
      throw await explainFullDisk(error, store.directory, await missingNow(files));
    },
  );
  const { name, title, type, engine, parameters, licence } = manifest;
  const record: ModelRecord = {
    name,
    title,
    type,
    engine,
    parameters,
    files: stored,
    arguments: manifest.arguments ?? [],
    edits: manifest.edits ?? false,
    memory_bytes: manifest.memory_bytes,
    build: build === null ? null : `${build.platform} ${build.variant} ${build.tag}`,
    licence: licence.id,
    pulled_at: new Date(now()).toISOString(),
  };
  await store.writeRecord(record);
  return record;
}

async function missingNow(files: readonly PlannedFile[]): Promise<number> {
  const open = files.filter(({ source }) => source.kind !== 'stored');
  const missing = open.map(async ({ part, facts: { bytes } }) => bytes - (await bytesInPart(part, bytes)));
  return (await Promise.all(missing)).reduce((sum, bytes) => sum + bytes, 0);
}
