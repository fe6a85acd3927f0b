import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { ENGINE_VARIABLES } from './engine-variables.ts';
import { isAddressRange } from './net/address-rules.ts';
import { parseS3Url } from './storage/s3-url.ts';

/** What a variable must hold, in words that continue "expected …". */
interface Wording extends TSchemaOptions {
  readonly expected: string;
  readonly description: string;
  /** Its value is not repeated in a fault. */
  readonly secret?: boolean;
}

/**
 * Every variable that steers the service, with the units its users write. `docs/configuration.md` lists the same ones;
 * a test holds the two together. Lists are written with commas.
 */
export const VARIABLES = {
  DARKROOM_HOST: text(
    (value) => !/[\s/]/.test(value),
    {
      expected: 'an IP address or a host name',
      description:
        'The address to listen on. `0.0.0.0` or `::` opens the service to the network: set DARKROOM_PUBLIC_URL then.',
    },
    '127.0.0.1',
  ),
  DARKROOM_PORT: integer(
    0,
    65_535,
    'The port to listen on; `0` takes a free one. `PORT` is read where this one is not set.',
    8080,
  ),
  DARKROOM_PUBLIC_URL: Type.Optional(
    text(isWebAddress, {
      expected: 'an address such as https://pictures.example.com or https://example.com/darkroom',
      description:
        'The address under which clients reach the service; it may have a path. It begins every link that is handed out. Unset: `http://host:port`.',
    }),
  ),
  DARKROOM_TRUST_PROXY: text(
    (value) => readTrustProxy(value) !== null,
    {
      expected: 'true, false, the number of proxies, or their addresses or address ranges',
      description:
        "Whose `X-Forwarded-For` to believe: `false` nobody's, `true` everybody's, a number of proxies in front, or their addresses and address ranges.",
    },
    'false',
  ),
  DARKROOM_DATA_DIR: text(
    () => true,
    { expected: 'a directory', description: 'The directory of the database and the files; made when it is not there.' },
    './data',
  ),
  DARKROOM_DATABASE_URL: Type.Optional(
    text((value) => /^postgres(ql)?:\/\/\S+$/.test(value) && URL.canParse(value), {
      expected: 'an address such as postgres://user:password@host:5432/darkroom',
      secret: true,
      description:
        'A PostgreSQL database (15 or later) that any number of processes share. Unset: the embedded database in DARKROOM_DATA_DIR.',
    }),
  ),
  DARKROOM_STORAGE_URL: Type.Optional(
    text(isS3Url, {
      expected: 'an address such as s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1',
      description:
        'Files in S3 or in what speaks its language. Keys come from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Unset: files lie in DARKROOM_DATA_DIR.',
    }),
  ),
  DARKROOM_ROLE: oneOf(
    ['all', 'api', 'worker'],
    'What this process does: `api` answers requests, `worker` makes what is ordered, `all` does both. Any number of each share one database.',
    'all',
  ),
  DARKROOM_LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'The least level that is logged, to standard error, one JSON object a line.',
    'info',
  ),
  DARKROOM_CATALOG_DIR: Type.Optional(
    text(() => true, {
      expected: 'a directory',
      description: 'A directory of catalog files that add to the models shipped or override them. Reloaded on SIGHUP.',
    }),
  ),
  DARKROOM_ENGINES: Type.Optional(
    list(/^[a-z][a-z0-9-]*$/, {
      expected: 'names of engines such as sketch,fal',
      description: 'The only engines that are switched on, by name. Unset: every engine that is configured.',
    }),
  ),
  DARKROOM_CORS_ORIGINS: list(
    /^(\*|https?:\/\/[^\s/?#@]+)$/,
    {
      expected: '* or origins such as https://app.example.com, without a path',
      description: 'Origins whose pages may call the service; `*` is any. Unset: none but its own.',
    },
    '',
  ),
  DARKROOM_CATALOG_UNAVAILABLE: oneOf(
    ['show', 'hide'],
    'Whether the public catalog shows models that have no configured engine for live orders.',
    'show',
  ),
  DARKROOM_RETENTION_DAYS: decimal(0.001, 36_500, 'Days after which prompts, inputs and outputs are erased.', 30),
  DARKROOM_DRAIN_SECONDS: decimal(
    0,
    86_400,
    'How long a stop waits for calls to engines that cannot be resumed. Without such calls it ends within 10 seconds.',
    300,
  ),
  DARKROOM_ALLOWED_ADDRESSES: addressList(
    'Address ranges that references, results and webhooks may reach although they are private.',
    '',
  ),
  DARKROOM_URL_LIFETIME_HOURS: decimal(
    0.01,
    8_760,
    'How long a signed address of a file works at least. The end is rounded up to twelve hours.',
    24,
  ),
  DARKROOM_METRICS_PORT: Type.Optional(
    integer(0, 65_535, 'A port of its own for `/metrics`, on the same host, without a key. Unset: no such port.'),
  ),
  DARKROOM_MODERATION_URL: Type.Optional(
    text(isWebAddress, {
      expected: 'an address such as https://moderation.example.com/check',
      description:
        'Asked before every submission (prompt, references, end user) and before every success (outputs). Its refusal fails the task as `content_policy`.',
    }),
  ),
  DARKROOM_MODERATION_REQUIRED: flag(
    'Whether orders fail while the moderation cannot be asked (`true`) or go on unasked (`false`).',
    true,
  ),
  DARKROOM_PAINTERS: Type.Optional(
    integer(
      1,
      256,
      'How many pictures and films the built-in engine paints at once. Unset: one fewer than the cores, at least one.',
    ),
  ),
  DARKROOM_MAX_BODY_MB: decimal(
    0.001,
    1_024,
    'The largest JSON body of an order or a quote, in MB of 1,048,576 bytes. Other JSON bodies end at 64 KB.',
    32,
  ),
  DARKROOM_MAX_UPLOAD_MB: decimal(0.001, 102_400, 'The largest uploaded file, in MB.', 100),
  DARKROOM_MAX_DATA_URI_MB: decimal(0.001, 1_024, 'The largest medium inside a data URI, in MB.', 20),
  DARKROOM_HARD_DEADLINE_MINUTES: decimal(
    0.01,
    43_200,
    'After this a task that is not final fails with `timeout`, counted from its creation.',
    360,
  ),
  DARKROOM_SOFT_DEADLINE_MINUTES: decimal(
    0.01,
    43_200,
    'The least time without progress after which a task is asked about more rarely.',
    10,
  ),
  ...ENGINE_VARIABLES,
} as const;

export type VariableName = keyof typeof VARIABLES;
export type VariableValues = { readonly [Name in VariableName]: Static<(typeof VARIABLES)[Name]> };

/** `true`, `false`, a number of proxies or a list of addresses; null when the text is none of them. */
export function readTrustProxy(value: string): boolean | number | readonly string[] | null {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const ranges = splitList(value);
  return ranges.length > 0 && ranges.every(isAddressRange) ? ranges : null;
}

export function splitList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function text(test: (value: string) => boolean, wording: Wording, fallback?: string) {
  return Type.Refine(
    Type.String({ ...wording, ...(fallback === undefined ? {} : { default: fallback }) }),
    test,
    () => wording.expected,
  );
}

function integer(minimum: number, maximum: number, description: string, fallback?: number) {
  const expected = `a whole number from ${minimum} to ${maximum}`;
  return Type.Integer({
    minimum,
    maximum,
    expected,
    description,
    ...(fallback === undefined ? {} : { default: fallback }),
  });
}

function decimal(minimum: number, maximum: number, description: string, fallback: number) {
  return Type.Number({
    minimum,
    maximum,
    expected: `a number from ${minimum} to ${maximum}`,
    description,
    default: fallback,
  });
}

function flag(description: string, fallback: boolean) {
  return Type.Boolean({ expected: 'true or false', description, default: fallback });
}

function oneOf<const Value extends string>(values: readonly Value[], description: string, fallback: NoInfer<Value>) {
  return Type.Unsafe<Value>({
    type: 'string',
    enum: [...values],
    expected: `one of ${values.join(', ')}`,
    description,
    default: fallback,
  });
}

function list(pattern: RegExp, wording: Wording, fallback?: '') {
  return Type.Array(Type.String({ pattern: pattern.source }), {
    ...wording,
    ...(fallback === undefined ? {} : { default: fallback }),
  });
}

function addressList(description: string, fallback: '') {
  const expected = 'addresses or address ranges such as 10.1.0.0/16, separated by commas';
  return Type.Refine(
    Type.Array(Type.String(), { expected, description, default: fallback }),
    (ranges) => ranges.every(isAddressRange),
    () => expected,
  );
}

/** Without user and password: it begins links that are handed out, or is called by what sends none. */
function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
}

function isS3Url(value: string): boolean {
  try {
    parseS3Url(value);
    return true;
  } catch {
    return false;
  }
}

/** What is said of a variable beside its type. */
export function wordingOf(schema: TSchema): Wording & { readonly type?: string; readonly default?: unknown } {
  return schema as unknown as Wording;
}
