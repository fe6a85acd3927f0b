import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { isLoopback } from '@darkroom-service/media';
import { deepFreeze } from '../../base/deep-freeze.ts';
import { BUDGET_LIMITS, END_USER_PERCENT, storageLimitsOf } from './budget-limits.ts';
import { ConfigFault } from './config-fault.ts';
import { readTrustProxy, type VariableValues, variablesOf } from './config-variables.ts';
import { contradictions } from './contradictions.ts';
import { faultsWithoutDatabase } from './database-variables.ts';
import { type EngineFiles, enginesOfFiles } from './engine-files.ts';
import { engineLimitsOf, upstreamWaitsOf } from './engine-limit-variables.ts';
import { enginesSwitchedOn, faultsOfEngineNames, upstreamsOf } from './engine-variables.ts';
import { type Environment, withoutEmpty } from './environment.ts';
import { outgoingOf, SMALL_NAMES } from './outgoing-variables.ts';
import { ownedInstancesOf } from './owned-instance-variables.ts';
import { enginesWithMultipliers, termsOf } from './price-variables.ts';
import { readValues } from './read-values.ts';
import { retentionOf } from './retention-variables.ts';
import { faultsOfS3Keys, s3OptionsOf } from './s3-variables.ts';
import { secretsOfUpstreams, secretsOfVariables } from './secrets-of.ts';
import { withoutServiceLinks } from './service-links.ts';
import type { Around, Configurable, Settings } from './settings.ts';
import { microsOf, type VariableFault } from './variable-types.ts';

/** All settings of a process, checked and in the units that the code uses. Frozen. */
export interface Config extends Readonly<ReturnType<typeof toConfig>> {
  /** Returns the settings that an addition read from its own variables. */
  readonly of: <Value>(settings: Settings<Value>) => Value;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MEGABYTE = 1024 * 1024;

/** Seconds of an announced stop, long enough for a load balancer that polls every second. */
const LAME_DUCK_SECONDS = 5;

/**
 * Reads the service's settings from variables only. An empty variable counts as unset.
 * @param additions additions of the service, also disabled ones
 * @param options.directory base of relative paths.
 * @throws ConfigFault
 */
export function loadConfig(
  environment: Environment,
  additions: readonly Configurable[],
  options: { readonly directory?: string; readonly cores?: number } = {},
): Config {
  const { directory = process.cwd() } = options;
  const { own, serviceLinks } = withoutServiceLinks(environment);
  const { texts, nameOf } = withOtherNames(own);
  const { values, faults } = readValues(variablesOf(additions), texts, nameOf);
  // Invalid values are included until the faults are thrown.
  const core = values as VariableValues;
  const areValid = faults.length === 0;
  faults.push(...faultsOfS3Keys(texts));
  const file = enginesOfFiles(core, {
    environment,
    directory,
    workflowDirectories: workflowDirectories(core, directory),
  });
  faults.push(...file.faults);
  if (!faults.some(({ variable }) => /^DARKROOM_ENGINES/.test(variable))) {
    const { DARKROOM_ENGINES: on = [], DARKROOM_COST_MULTIPLIERS: costs = [] } = core as Partial<VariableValues>;
    faults.push(...faultsOfEngineNames('DARKROOM_ENGINES', on, file.names));
    faults.push(...faultsOfEngineNames('DARKROOM_COST_MULTIPLIERS', enginesWithMultipliers(costs), file.names));
  }
  if (faults.length === 0) faults.push(...contradictions(core));
  const dataDirectory = resolve(directory, core.DARKROOM_DATA_DIR);
  const added = readSettings(areValid ? additions : [], values, { core, directory, dataDirectory, environment });
  faults.push(...added.faults);
  if (faults.length > 0) throw new ConfigFault(faults);
  const parts = { ...file, environment, serviceLinks };
  const secrets = secretsOfVariables(variablesOf(additions), values);
  return deepFreeze({ ...toConfig(core, { ...parts, secrets }, options), of: added.of });
}

/** Reads the settings of all additions. */
function readSettings(additions: readonly Configurable[], values: Record<string, unknown>, around: Around) {
  const read = new Map<Settings, unknown>();
  const faults: VariableFault[] = [];
  for (const { settings } of additions)
    try {
      if (settings !== undefined) {
        faults.push(...faultsWithoutDatabase(settings.needDatabase ?? [], values, around.core));
        read.set(settings, deepFreeze(settings.read(values, around)));
      }
    } catch (error) {
      if (!(error instanceof ConfigFault)) throw error;
      faults.push(...error.faults);
    }
  const of: Config['of'] = <Value>(settings: Settings<Value>) => {
    if (!read.has(settings)) throw new Error('the configuration was loaded without this addition');
    return read.get(settings) as Value;
  };
  return { of, faults };
}

/** Fills in the variables that have a second name, and reports which name was read. */
function withOtherNames(own: Environment) {
  const second = { ...SMALL_NAMES, ...(own.DARKROOM_PORT ? {} : { DARKROOM_PORT: 'PORT' }) };
  const isRead = ([, other]: [string, string]) => Boolean(own[other]?.trim());
  const read = new Map(Object.entries(second).filter(isRead));
  const filled = Object.fromEntries([...read].map(([name, other]) => [name, own[other]]));
  return { texts: withoutEmpty({ ...own, ...filled }), nameOf: (name: string) => read.get(name) ?? name };
}

function catalogDirectoriesOf({ DARKROOM_CATALOG_DIR: path }: Partial<VariableValues>, directory: string): string[] {
  const shipped = join(import.meta.dirname, '..', '..', '..', 'catalog');
  return path === undefined ? [shipped] : [shipped, resolve(directory, path)];
}

function workflowDirectories(values: Partial<VariableValues>, directory = process.cwd()): string[] {
  return catalogDirectoriesOf(values, directory).map((one) => join(one, 'workflows'));
}

function pathsIn(dataDirectory: string) {
  return {
    /** Data directory, an absolute path, like the two below. */
    dataDirectory,
    databasePath: join(dataDirectory, 'darkroom.db'),
    filesDirectory: join(dataDirectory, 'files'),
  };
}

function cdnOf({ DARKROOM_CDN_URL: url, DARKROOM_CDN_SECONDS: maxAgeSeconds }: VariableValues) {
  return url === undefined ? null : { url: url.replace(/\/+$/, ''), maxAgeSeconds };
}

function toConfig(
  values: VariableValues,
  parts: EngineFiles & {
    readonly environment: Environment;
    readonly serviceLinks: readonly string[];
    readonly secrets: readonly string[];
  },
  options: { directory?: string; cores?: number },
) {
  const { instances: engineInstances, ownEngines, environment, serviceLinks } = parts;
  const directory = options.directory ?? process.cwd();
  const engines: readonly string[] | null = values.DARKROOM_ENGINES ?? null;
  const upstreams = upstreamsOf(values, workflowDirectories(values, directory));
  const s3 = s3OptionsOf(withoutEmpty(environment));
  return {
    host: values.DARKROOM_HOST,
    /** Port of the service; 0 = any free port. */
    port: values.DARKROOM_PORT,
    /** Public URL without a trailing slash; null = `http://host:port` of the listening address. */
    publicUrl: values.DARKROOM_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    /** Trusted proxies, in the form that Fastify expects. */
    trustProxy: readTrustProxy(values.DARKROOM_TRUST_PROXY) ?? false,
    ...pathsIn(resolve(directory, values.DARKROOM_DATA_DIR)),
    /** Database URL `postgres://…`; null = the embedded database. */
    databaseUrl: values.DARKROOM_DATABASE_URL ?? null,
    /** Database URL for messages between processes, if `databaseUrl` leads to a pooler of transactions. */
    databaseListenUrl: values.DARKROOM_DATABASE_LISTEN_URL ?? null,
    /** URL of a standby that may answer lists and reports. */
    databaseReplicaUrl: values.DARKROOM_DATABASE_REPLICA_URL ?? null,
    /** Name of the cell in new keys, client tokens and ids; null = none. */
    cell: values.DARKROOM_CELL ?? null,
    /** Storage URL `s3://…`; null = the directory. */
    storageUrl: values.DARKROOM_STORAGE_URL ?? null,
    s3,
    /** Texts that must not appear in any log line or report. */
    secrets: [
      ...parts.secrets,
      ...[upstreams, ...engineInstances.map((instance) => instance.upstreams)].flatMap(secretsOfUpstreams),
      ...[s3.credentials?.secretAccessKey ?? [], s3.credentials?.sessionToken ?? []].flat(),
    ],
    hold: values.DARKROOM_HOLD,
    /** Names of disabled additions. */
    without: values.DARKROOM_WITHOUT as readonly string[],
    /** Amount in micro-dollars above which a person must approve an order; null = never. */
    approveOver: microsOf(values.DARKROOM_APPROVE_OVER),
    role: values.DARKROOM_ROLE,
    /** Variables set by Kubernetes that only look like settings. */
    serviceLinks,
    logLevel: values.DARKROOM_LOG_LEVEL,
    logRequests: values.DARKROOM_LOG_REQUESTS,
    /** Absolute paths: the shipped catalog first, then the operator's, which adds or overrides entries. */
    catalogDirectories: catalogDirectoriesOf(values, directory),
    /** The only engines that may be on; null = all configured ones. */
    engines,
    /** The upstreams whose keys are set. */
    upstreams,
    /** Configured limits and timeouts, by engine name. */
    engineLimits: engineLimitsOf(values),
    /** Named instances of the operator's file. */
    engineInstances,
    ownEngines,
    routePolicy: values.DARKROOM_ROUTE_POLICY,
    terms: termsOf(values),
    /** The upstream engines that are on, each with the variable that switched it on. */
    switchedOn: enginesSwitchedOn(upstreams, engineInstances, ownEngines, engines),
    /** Allowed origins, or `*` for any. */
    corsOrigins: values.DARKROOM_CORS_ORIGINS,
    catalogUnavailable: values.DARKROOM_CATALOG_UNAVAILABLE,
    ...retentionOf(values),
    drainMs: values.DARKROOM_DRAIN_SECONDS * SECOND,
    /** Time from the announcement of a stop until orders are refused. */
    lameDuckMs:
      (values.DARKROOM_LAME_DUCK_SECONDS ?? (isLoopback(values.DARKROOM_HOST) ? 0 : LAME_DUCK_SECONDS)) * SECOND,
    allowedAddresses: values.DARKROOM_ALLOWED_ADDRESSES,
    outgoing: outgoingOf(values, values.DARKROOM_PUBLIC_URL),
    urlLifetimeMs: values.DARKROOM_URL_LIFETIME_HOURS * HOUR,
    /** A CDN in front of signed file URLs; null = there is none. */
    cdn: cdnOf(values),
    metricsPort: values.DARKROOM_METRICS_PORT ?? null,
    /** Number of media processes; null: derived from the number of cores. */
    mediaProcesses: values.DARKROOM_MEDIA_PROCESSES ?? null,
    painters: values.DARKROOM_PAINTERS ?? Math.max(1, (options.cores ?? availableParallelism()) - 1),
    maxBodyBytes: Math.floor(values.DARKROOM_MAX_BODY_MB * MEGABYTE),
    maxUploadBytes: Math.floor(values.DARKROOM_MAX_UPLOAD_MB * MEGABYTE),
    maxDataUriBytes: 20 * MEGABYTE,
    /** Limits of stored bytes, of one key and of one end user with client tokens; null = no limit. */
    storageLimits: storageLimitsOf(values),
    /** Time after its creation after which a task that is not final fails, in milliseconds. */
    hardDeadlineMs: Math.round(values.DARKROOM_HARD_DEADLINE_MINUTES * MINUTE),
    /** Minimum time without progress after which a task is polled less often, in milliseconds. */
    softDeadlineMs: Math.min(10, values.DARKROOM_HARD_DEADLINE_MINUTES) * MINUTE,
    upstreamWaits: upstreamWaitsOf(values),
    ...ownedInstancesOf(values),
    /** Limits on the use of this process by one API key. */
    budgets: BUDGET_LIMITS,
    /** The part of its key's streams, waits and stored bytes that one end user may use with client tokens. */
    endUserPercent: END_USER_PERCENT,
  };
}
