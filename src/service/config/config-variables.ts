import { isAddressRange } from '@darkroom-service/media';
import { type TProperties, type TSchema, Type } from 'typebox';
import { DATABASE_VARIABLES } from './database-variables.ts';
import { DEFAULT_HOST, DEFAULT_PORT } from './default-address.ts';
import { ENGINE_VARIABLES } from './engine-variables.ts';
import { OUTGOING_VARIABLES } from './outgoing-variables.ts';
import { OWNED_INSTANCE_VARIABLES } from './owned-instance-variables.ts';
import { PRICE_VARIABLES } from './price-variables.ts';
import { RETENTION_VARIABLES } from './retention-variables.ts';
import { isS3Url } from './url-checks.ts';
import {
  decimal,
  dollars,
  flag,
  integer,
  list,
  oneOf,
  text,
  type ValuesOf,
  type Wording,
  webAddress,
} from './variable-types.ts';

/** Variable that names the folder of additions outside of this program. */
export const ADDITIONS_VARIABLE = 'DARKROOM_ADDITIONS_DIR';

/**
 * All variables that configure the service. `docs/configuration.md` lists the same variables, and a test compares the
 * two. Lists are separated by commas.
 */
export const VARIABLES = {
  DARKROOM_HOST: text(
    {
      expected: 'an IP address or a host name',
      description:
        'The address to listen on. `0.0.0.0` or `::` opens the service to the network; set DARKROOM_PUBLIC_URL too.',
      default: DEFAULT_HOST,
    },
    (value) => !/[\s/]/.test(value),
  ),
  DARKROOM_PORT: integer(
    0,
    65_535,
    'The port to listen on; `0` picks a free one. If this variable is unset, the service reads `PORT`.',
    DEFAULT_PORT,
  ),
  DARKROOM_PUBLIC_URL: webAddress(
    'https://pictures.example.com or https://example.com/darkroom',
    'The URL that clients use; it may have a path. Every link of the service begins with it, and upstreams call back there. Unset: an answer links to the host of its request, anything else to this machine.',
  ),
  DARKROOM_TRUST_PROXY: text(
    {
      expected: 'true, false, the number of proxies, or their addresses or address ranges',
      description:
        'Which proxies in front may set `X-Forwarded-For`: none, all, that many, or those at these addresses.',
      default: 'false',
    },
    (value) => readTrustProxy(value) !== null,
  ),
  DARKROOM_DATA_DIR: text({
    expected: 'a directory',
    description: 'The directory of the database and the files; created if missing.',
    default: './data',
  }),
  ...DATABASE_VARIABLES,
  DARKROOM_STORAGE_URL: Type.Optional(
    text(
      {
        expected: 'a URL such as s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1',
        description:
          'Stores files in S3 or a compatible service, with `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Unset: in DARKROOM_DATA_DIR.',
      },
      isS3Url,
    ),
  ),
  DARKROOM_ROLE: oneOf(
    ['all', 'api', 'worker'],
    '`api` answers requests, `worker` runs tasks, `all` does both.',
    'all',
  ),
  DARKROOM_HOLD: flag(
    '`true`: this process accepts orders, but sends no order and no webhook, and deletes nothing. For a copy that cannot find out that it is one.',
    false,
  ),
  DARKROOM_LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'The lowest level to log, on standard error.',
    'info',
  ),
  DARKROOM_LOG_REQUESTS: oneOf(
    ['off', 'errors', 'all'],
    'Which requests to log at level info. `errors`: accepted orders, refused requests with a key, and failures of the service.',
    'errors',
  ),
  DARKROOM_CATALOG_DIR: Type.Optional(
    text({
      expected: 'a directory',
      description: 'A directory of catalog files that add to the included models or override them.',
    }),
  ),
  DARKROOM_ENGINES: Type.Optional(
    list(/^[a-z][a-z0-9-]*$/, {
      expected: 'names of engines such as sketch,fal',
      description: 'The engines to switch on. Unset: every configured engine.',
    }),
  ),
  DARKROOM_CORS_ORIGINS: list(/^(\*|https?:\/\/[^\s/?#@]+)$/, {
    expected: '* or origins such as https://app.example.com, without a path',
    description: "Origins whose pages may call the service; `*` means any. Unset: only the service's own origin.",
    default: '',
  }),
  DARKROOM_CATALOG_UNAVAILABLE: oneOf(
    ['show', 'hide'],
    'Whether the public catalog shows models without a configured engine for live orders.',
    'show',
  ),
  ...PRICE_VARIABLES,
  ...RETENTION_VARIABLES,
  DARKROOM_DRAIN_SECONDS: decimal(
    0,
    86_400,
    'How long a stopping process waits for engine calls that cannot be resumed.',
    300,
  ),
  DARKROOM_LAME_DUCK_SECONDS: Type.Optional(
    decimal(
      0,
      600,
      'How long a process still answers everything after SIGTERM while `/readyz` answers 503. Unset: 5, or 0 if DARKROOM_HOST is a loopback address.',
    ),
  ),
  ...OUTGOING_VARIABLES,
  DARKROOM_URL_LIFETIME_HOURS: decimal(
    0.01,
    8_760,
    'The minimum lifetime of a signed file URL. The expiry is rounded up to twelve hours.',
    24,
  ),
  DARKROOM_CDN_URL: webAddress(
    'https://cdn.example.com',
    'A [CDN](operating.md#serve-files-through-a-cdn) that fetches from DARKROOM_PUBLIC_URL. Signed file URLs begin with it.',
  ),
  DARKROOM_CDN_SECONDS: integer(
    1,
    86_400,
    'How long the CDN and browsers may keep a file without asking again. A file that was deleted, or whose key was revoked, is readable for as long.',
    300,
  ),
  DARKROOM_METRICS_PORT: Type.Optional(
    integer(0, 65_535, 'A separate port for `/metrics`, on the same host, without a key.'),
  ),
  DARKROOM_PAINTERS: Type.Optional(
    integer(
      1,
      256,
      'How many images and videos the built-in engine renders at once. Unset: the cores minus one, at least one.',
    ),
  ),
  DARKROOM_MEDIA_PROCESSES: Type.Optional(
    integer(
      1,
      64,
      'How many processes open media files at once. Unset: the number of cores, at least 2 and at most 4.',
    ),
  ),
  DARKROOM_MAX_BODY_MB: decimal(
    0.001,
    1_024,
    'The largest JSON body of an order or a quote, in MB of 1,048,576 bytes. All but 256 KB of it must be `data:` strings, each of at most 20 MB.',
    32,
  ),
  DARKROOM_MAX_UPLOAD_MB: decimal(0.001, 102_400, 'The largest uploaded file, in MB.', 100),
  DARKROOM_KEY_STORAGE_MB: decimal(
    0,
    1_000_000_000,
    'How many MB of [input files](operating.md#media-processes) one API key may store; `0` means no limit.',
    10_240,
  ),
  DARKROOM_HARD_DEADLINE_MINUTES: decimal(
    0.01,
    43_200,
    'A task that is not final this long after its creation fails with `timeout`.',
    360,
  ),
  DARKROOM_APPROVE_OVER: Type.Optional(
    dollars(
      '0.50',
      'The price above which a person must agree before an [agent](mcp.md) orders; `0` asks for every order. `keys create --approve-over` sets it for one key. Unset: nobody is asked.',
    ),
  ),
  DARKROOM_WITHOUT: closedAdditions([]),
  [ADDITIONS_VARIABLE]: Type.Optional(
    text({
      expected: 'a directory',
      description:
        'A directory of [additions of your own](additions.md), each a module. They run with all rights of the service.',
    }),
  ),
  ...OWNED_INSTANCE_VARIABLES,
  ...ENGINE_VARIABLES,
} as const;

export type VariableValues = ValuesOf<typeof VARIABLES>;

/** Returns all variables of a service: those of the core, then those of its additions. */
export function variablesOf(
  additions: readonly { readonly name: string; readonly settings?: { readonly variables: TProperties } }[],
): Readonly<Record<string, TSchema>> {
  const names = additions.map(({ name }) => name).sort();
  const added = additions.map(({ settings }) => settings?.variables ?? {});
  return Object.assign({}, VARIABLES, { DARKROOM_WITHOUT: closedAdditions(names) }, ...added);
}

function closedAdditions(names: readonly string[]) {
  return list(/^[a-z][a-z0-9-]*$/, {
    expected: 'names of additions such as shares,mcp',
    description: `Additions to close, with routes, tools and commands: ${names.join(', ')}. Their data stays. While one has open work, the start is refused.`,
    default: '',
  });
}

/** Parses `true`, `false`, a number of proxies or a list of addresses; null for anything else. */
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

/** Returns a variable's description and other annotations. */
export function wordingOf(schema: TSchema): Wording & { readonly type?: string; readonly default?: unknown } {
  return schema as unknown as Wording;
}
