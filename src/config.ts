import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { deepFreeze } from './base/deep-freeze.ts';
import {
  readTrustProxy,
  splitList,
  VARIABLES,
  type VariableName,
  type VariableValues,
  wordingOf,
} from './config-variables.ts';
import { enginesSwitchedOn, faultsOfEngineNames, type UpstreamConfigs, upstreamsOf } from './engine-variables.ts';
import { nearestName } from './nearest-name.ts';
import type { S3ClientOptions } from './storage/s3-client.ts';

/** Every setting of a process, checked, in the units that the code works in. Frozen. */
export interface Config {
  readonly host: string;
  /** 0 = a free one. */
  readonly port: number;
  /** Without a slash at the end; null = `http://host:port` of the address listened on. */
  readonly publicUrl: string | null;
  /** As Fastify takes it. */
  readonly trustProxy: boolean | number | readonly string[];
  /** An absolute path, as are the two below it. */
  readonly dataDirectory: string;
  readonly databasePath: string;
  readonly filesDirectory: string;
  /** `postgres://…`; null = the embedded database. */
  readonly databaseUrl: string | null;
  /** `s3://…`; null = the directory. */
  readonly storageUrl: string | null;
  readonly s3: S3ClientOptions;
  readonly role: 'all' | 'api' | 'worker';
  readonly logLevel: VariableValues['DARKROOM_LOG_LEVEL'];
  /** The operator's own entries, beside those shipped; an absolute path. */
  readonly catalogDirectory: string | null;
  /** The only engines that may be on; null = every one that is configured. */
  readonly engines: readonly string[] | null;
  /** The upstreams whose keys are set. */
  readonly upstreams: UpstreamConfigs;
  /** The engines of upstreams that are on, each with the variable that switched it on. */
  readonly switchedOn: readonly { readonly name: string; readonly variable: string }[];
  /** Origins, or `*` for any. */
  readonly corsOrigins: readonly string[];
  readonly catalogUnavailable: 'show' | 'hide';
  readonly retentionMs: number;
  readonly drainMs: number;
  readonly allowedAddresses: readonly string[];
  readonly urlLifetimeMs: number;
  readonly metricsPort: number | null;
  readonly moderation: { readonly url: string; readonly required: boolean } | null;
  readonly painters: number;
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  readonly maxDataUriBytes: number;
  readonly hardDeadlineMs: number;
  readonly softDeadlineMs: number;
}

/** Where a command finds a running service, and with which key. */
export interface ClientSettings {
  /** Without a slash at the end. */
  readonly url: string;
  readonly apiKey: string | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every fault of the settings at once, one line each. */
export class ConfigFault extends Error {
  readonly faults: readonly { readonly variable: string; readonly message: string }[];

  constructor(faults: ConfigFault['faults']) {
    super(
      ['The settings cannot be used:', ...faults.map(({ variable, message }) => `  ${variable}: ${message}`)].join(
        '\n',
      ),
    );
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEGABYTE = 1024 * 1024;

/** User and password of an address: they have no business in a log. */
const CREDENTIALS = /\/\/[^/]*@/;

/** Read by commands that talk to a running service; the service itself has no use for them. */
const CLIENT_VARIABLES = ['DARKROOM_URL', 'DARKROOM_API_KEY'];

/** The variables of the process; what a `.env` file in the directory sets counts where the process has none. */
export function readEnvironment(directory: string = process.cwd(), own: Environment = process.env): Environment {
  let fileText = '';
  try {
    fileText = readFileSync(join(directory, '.env'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { ...parseEnv(fileText), ...own };
}

/**
 * The settings of the service from variables alone; nothing else is read. An empty variable counts as unset.
 * @param options.directory what relative paths start from.
 * @throws ConfigFault
 */
export function loadConfig(
  environment: Environment,
  options: { readonly directory?: string; readonly cores?: number } = {},
): Config {
  const texts = withoutEmpty({ ...environment, DARKROOM_PORT: environment.DARKROOM_PORT || environment.PORT });
  const faults = unknownVariables(texts);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(VARIABLES) as VariableName[]) {
    const schema: TSchema = VARIABLES[name];
    const wording = wordingOf(schema);
    const found = texts[name];
    const value = readValue(found ?? String(wording.default ?? ''), wording.type);
    if (found !== undefined && !Value.Check(schema, value)) {
      const variable = name === 'DARKROOM_PORT' && !environment.DARKROOM_PORT ? 'PORT' : name;
      const isSecret = wording.secret === true || CREDENTIALS.test(found);
      const shown = isSecret ? 'something else' : JSON.stringify(found);
      faults.push({ variable, message: `expected ${wording.expected}, found ${shown}` });
    }
    if (found !== undefined || wording.default !== undefined) values[name] = value;
  }
  if (!faults.some(({ variable }) => variable === 'DARKROOM_ENGINES'))
    faults.push(...faultsOfEngineNames((values as VariableValues).DARKROOM_ENGINES ?? []));
  if (faults.length === 0) faults.push(...contradictions(values as VariableValues));
  if (faults.length > 0) throw new ConfigFault(faults);
  return deepFreeze(toConfig(values as VariableValues, environment, options));
}

/** Where the service is and with which key to talk to it. @throws ConfigFault */
export function loadClientSettings(environment: Environment): ClientSettings {
  const url = environment.DARKROOM_URL || 'http://127.0.0.1:8080';
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    const message = `expected an address such as http://127.0.0.1:8080, found ${JSON.stringify(url)}`;
    throw new ConfigFault([{ variable: 'DARKROOM_URL', message }]);
  }
  return { url: withoutSlash(url), apiKey: environment.DARKROOM_API_KEY?.trim() || null };
}

/** Where catalog files lie: those shipped first, then the operator's own, which add to them or override them. */
export function catalogDirectories(config: Pick<Config, 'catalogDirectory'>): string[] {
  const shipped = join(import.meta.dirname, '..', 'catalog');
  return config.catalogDirectory === null ? [shipped] : [shipped, config.catalogDirectory];
}

function toConfig(
  values: VariableValues,
  environment: Environment,
  options: { directory?: string; cores?: number },
): Config {
  const directory = options.directory ?? process.cwd();
  const dataDirectory = resolve(directory, values.DARKROOM_DATA_DIR);
  const { DARKROOM_CATALOG_DIR, DARKROOM_PUBLIC_URL, DARKROOM_MODERATION_URL } = values;
  const catalogDirectory = DARKROOM_CATALOG_DIR === undefined ? null : resolve(directory, DARKROOM_CATALOG_DIR);
  const engines = values.DARKROOM_ENGINES ?? null;
  const workflows = catalogDirectories({ catalogDirectory }).map((one) => join(one, 'workflows'));
  const upstreams = upstreamsOf(values, workflows);
  return {
    host: values.DARKROOM_HOST,
    port: values.DARKROOM_PORT,
    publicUrl: DARKROOM_PUBLIC_URL === undefined ? null : withoutSlash(DARKROOM_PUBLIC_URL),
    trustProxy: readTrustProxy(values.DARKROOM_TRUST_PROXY) ?? false,
    dataDirectory,
    databasePath: join(dataDirectory, 'darkroom.db'),
    filesDirectory: join(dataDirectory, 'files'),
    databaseUrl: values.DARKROOM_DATABASE_URL ?? null,
    storageUrl: values.DARKROOM_STORAGE_URL ?? null,
    s3: s3Options(environment),
    role: values.DARKROOM_ROLE,
    logLevel: values.DARKROOM_LOG_LEVEL,
    catalogDirectory,
    engines,
    upstreams,
    switchedOn: enginesSwitchedOn(upstreams, engines),
    corsOrigins: values.DARKROOM_CORS_ORIGINS,
    catalogUnavailable: values.DARKROOM_CATALOG_UNAVAILABLE,
    retentionMs: values.DARKROOM_RETENTION_DAYS * DAY,
    drainMs: values.DARKROOM_DRAIN_SECONDS * SECOND,
    allowedAddresses: values.DARKROOM_ALLOWED_ADDRESSES,
    urlLifetimeMs: values.DARKROOM_URL_LIFETIME_HOURS * HOUR,
    metricsPort: values.DARKROOM_METRICS_PORT ?? null,
    moderation:
      DARKROOM_MODERATION_URL === undefined
        ? null
        : { url: DARKROOM_MODERATION_URL, required: values.DARKROOM_MODERATION_REQUIRED },
    painters: values.DARKROOM_PAINTERS ?? Math.max(1, (options.cores ?? availableParallelism()) - 1),
    maxBodyBytes: Math.floor(values.DARKROOM_MAX_BODY_MB * MEGABYTE),
    maxUploadBytes: Math.floor(values.DARKROOM_MAX_UPLOAD_MB * MEGABYTE),
    maxDataUriBytes: Math.floor(values.DARKROOM_MAX_DATA_URI_MB * MEGABYTE),
    hardDeadlineMs: Math.round(values.DARKROOM_HARD_DEADLINE_MINUTES * MINUTE),
    softDeadlineMs: Math.round(values.DARKROOM_SOFT_DEADLINE_MINUTES * MINUTE),
  };
}

/** A text that is not of the type stays a text, so that the check names it. */
function readValue(text: string, type: string | undefined): unknown {
  if (type === 'array') return splitList(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if ((type === 'integer' || type === 'number') && /^\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

function unknownVariables(texts: Environment): { variable: string; message: string }[] {
  const known = [...Object.keys(VARIABLES), ...CLIENT_VARIABLES];
  return Object.keys(texts)
    .filter((name) => name.startsWith('DARKROOM_') && !known.includes(name))
    .map((variable) => {
      const nearest = nearestName(variable, known);
      const advice = nearest === null ? 'docs/configuration.md lists those there are' : `Did you mean ${nearest}?`;
      return { variable, message: `there is no such setting. ${advice}` };
    });
}

function contradictions(values: VariableValues): { variable: string; message: string }[] {
  const faults: { variable: string; message: string }[] = [];
  const { DARKROOM_SOFT_DEADLINE_MINUTES: soft, DARKROOM_HARD_DEADLINE_MINUTES: hard } = values;
  if (soft > hard) {
    const message = `expected at most DARKROOM_HARD_DEADLINE_MINUTES (${hard}), found ${soft}`;
    faults.push({ variable: 'DARKROOM_SOFT_DEADLINE_MINUTES', message });
  }
  if (values.DARKROOM_ROLE === 'worker' && values.DARKROOM_PUBLIC_URL === undefined) {
    const message = 'expected the address that clients use, as a worker has none of its own to begin links with';
    faults.push({ variable: 'DARKROOM_PUBLIC_URL', message });
  }
  return faults;
}

/** What the SDK's own users set. Without keys it looks for them as it always does: profiles, roles. */
function s3Options(environment: Environment): S3ClientOptions {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION } = environment;
  return {
    ...(AWS_REGION ? { region: AWS_REGION } : {}),
    ...(AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
      ? {
          credentials: {
            accessKeyId: AWS_ACCESS_KEY_ID,
            secretAccessKey: AWS_SECRET_ACCESS_KEY,
            ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
          },
        }
      : {}),
  };
}

function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment)
      .map(([name, text]) => [name, text?.trim()])
      .filter(([, text]) => text),
  );
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
