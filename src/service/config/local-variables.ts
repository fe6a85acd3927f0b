import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { Type } from 'typebox';
import { NETWORK_SETTINGS, type NetworkSetting, type OwnServer } from './own-server.ts';
import { isWebAddress } from './url-checks.ts';

/** Settings for the models that `darkroom pull` downloads. */
export const LOCAL_VARIABLES = {
  DARKROOM_LOCAL_DIR: Type.Optional(
    Type.String({
      expected: 'a directory',
      description: 'The directory of pulled models; created if missing. Unset: `local` in DARKROOM_DATA_DIR.',
    }),
  ),
  DARKROOM_LOCAL_HUB_URL: webAddress(
    'https://models.example.com',
    'A mirror of the model hub `https://huggingface.co`. It may be plain HTTP or have a private address; its redirects to other hosts may not.',
  ),
  DARKROOM_LOCAL_HUB_TOKEN: Type.Optional(
    Type.Refine(
      Type.String({
        expected: 'a token without spaces',
        secret: true,
        description:
          'A token of your account at the model hub, for files whose terms must be accepted there. Only the host of the hub gets it.',
      }),
      (value) => /^[\x21-\x7e]+$/.test(value),
      () => 'a token without spaces',
    ),
  ),
  DARKROOM_LOCAL_RELEASES_URL: webAddress(
    'https://releases.example.com',
    'A mirror of the release files of engines, with the paths of GitHub, and of the lists of releases below `/api/v3`.',
  ),
  DARKROOM_LOCAL_PROXY: Type.Optional(
    Type.Refine(
      Type.String({
        expected: 'a URL such as http://proxy.example.com:3128',
        secret: true,
        description:
          'The HTTP proxy for downloads of models, with user and password if needed. The proxy resolves the names.',
      }),
      (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
      () => 'a URL such as http://proxy.example.com:3128',
    ),
  ),
  DARKROOM_LOCAL_SD_SERVER: Type.Optional(
    Type.String({
      expected: 'the path of a program',
      description: 'Your own sd-server (stable-diffusion.cpp) in place of the pulled build.',
    }),
  ),
  DARKROOM_LOCAL_SERVERS: whole(
    { from: 1, to: 16, unless: 1 },
    'How many models may be loaded at once, if the memory suffices. With one graphics card, leave it at 1.',
  ),
  DARKROOM_LOCAL_SERVERS_FILE: Type.Optional(
    Type.String({
      expected: 'the path of a JSON file',
      description:
        '[Servers of your own](local.md#servers-of-your-own) that Darkroom starts and ends, such as ComfyUI.',
    }),
  ),
  DARKROOM_LOCAL_NETWORK: Type.Unsafe<NetworkSetting>({
    type: 'string',
    enum: [...NETWORK_SETTINGS],
    expected: `one of ${NETWORK_SETTINGS.join(', ')}`,
    description:
      'Whether the servers that Darkroom starts can reach other machines and programs. `closed`: no; they are not started if the system cannot prevent it. `auto`: no, where the system can prevent it.',
    default: 'auto',
  }),
  DARKROOM_LOCAL_MEMORY_MB: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 100_000_000,
      expected: 'a whole number from 100 to 100000000',
      description:
        'The main memory in MB of 1,048,576 bytes for all loaded models. A server that uses more is ended; a working one is checked every 5 seconds. Unset: 80 % of the machine.',
    }),
  ),
  DARKROOM_LOCAL_IDLE_SECONDS: whole(
    { from: 1, to: 31_536_000, unless: 300 },
    'After this time without an order a model is unloaded.',
  ),
  DARKROOM_LOCAL_LOAD_SECONDS: whole(
    { from: 1, to: 86_400, unless: 600 },
    'How long a model may take to load before its server is ended and started again.',
  ),
  DARKROOM_LOCAL_STALL_SECONDS: whole(
    { from: 1, to: 86_400, unless: 900 },
    'A server that writes nothing for this long during an order is ended, and the order is made again. Each step writes; on a slow processor it can take minutes.',
  ),
} as const;

type LocalValues = {
  readonly DARKROOM_LOCAL_DIR?: string;
  readonly DARKROOM_LOCAL_HUB_URL?: string;
  readonly DARKROOM_LOCAL_HUB_TOKEN?: string;
  readonly DARKROOM_LOCAL_RELEASES_URL?: string;
  readonly DARKROOM_LOCAL_PROXY?: string;
  readonly DARKROOM_LOCAL_SD_SERVER?: string;
  readonly DARKROOM_LOCAL_SERVERS: number;
  readonly DARKROOM_LOCAL_SERVERS_FILE?: string;
  readonly DARKROOM_LOCAL_NETWORK: NetworkSetting;
  readonly DARKROOM_LOCAL_MEMORY_MB?: number;
  readonly DARKROOM_LOCAL_IDLE_SECONDS: number;
  readonly DARKROOM_LOCAL_LOAD_SECONDS: number;
  readonly DARKROOM_LOCAL_STALL_SECONDS: number;
};

/** Where pulled models are stored, and how they are downloaded. */
export interface LocalConfig {
  /** An absolute path. */
  readonly directory: string;
  /** Without a trailing slash; null = the public hub. */
  readonly hubUrl: string | null;
  /** A secret; null = no account. */
  readonly hubToken: string | null;
  /** Without a trailing slash; null = the public host. */
  readonly releasesUrl: string | null;
  /** May hold a password. */
  readonly proxy: string | null;
  /** The operator's own sd-server, an absolute path; null = the pulled build. */
  readonly program: string | null;
  /** How many models may be loaded at once. */
  readonly servers: number;
  /** Whether they can reach anything but themselves. */
  readonly network: NetworkSetting;
  /** What they may use together. */
  readonly memoryBytes: number;
  readonly idleMs: number;
  readonly loadMs: number;
  readonly stallMs: number;
  /** The variables that servers get. */
  readonly environment: Readonly<Record<string, string>>;
  /** The servers of the operator's file. */
  readonly ownServers: readonly OwnServer[];
  /** Whether the operator has set something that local models need, so that they are on before the first pull. */
  readonly isWanted: boolean;
}

/** Variables that servers may see. They get no proxies, no keys and no settings of a hub. */
const PASSED = /^(PATH|LANG|LC_\w+|TZ|SystemRoot|(CUDA|HIP|ROCR|GPU|HSA|VK|GGML|MESA|RADV)_\w+)$/;

const SHARE_OF_MEMORY = 0.8;
const SECOND = 1000;

export function localOf(
  values: LocalValues,
  directory: string,
  dataDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
  ownServers: readonly OwnServer[],
): LocalConfig {
  const own = values.DARKROOM_LOCAL_DIR;
  return {
    directory: own === undefined ? join(dataDirectory, 'local') : resolve(directory, own),
    hubUrl: values.DARKROOM_LOCAL_HUB_URL?.replace(/\/+$/, '') ?? null,
    hubToken: values.DARKROOM_LOCAL_HUB_TOKEN ?? null,
    releasesUrl: values.DARKROOM_LOCAL_RELEASES_URL?.replace(/\/+$/, '') ?? null,
    proxy: values.DARKROOM_LOCAL_PROXY ?? null,
    program: values.DARKROOM_LOCAL_SD_SERVER === undefined ? null : resolve(directory, values.DARKROOM_LOCAL_SD_SERVER),
    servers: values.DARKROOM_LOCAL_SERVERS,
    network: values.DARKROOM_LOCAL_NETWORK,
    memoryBytes:
      values.DARKROOM_LOCAL_MEMORY_MB === undefined
        ? Math.floor(totalmem() * SHARE_OF_MEMORY)
        : values.DARKROOM_LOCAL_MEMORY_MB * 1024 * 1024,
    idleMs: values.DARKROOM_LOCAL_IDLE_SECONDS * SECOND,
    loadMs: values.DARKROOM_LOCAL_LOAD_SECONDS * SECOND,
    stallMs: values.DARKROOM_LOCAL_STALL_SECONDS * SECOND,
    environment: passedVariables(environment),
    ownServers,
    isWanted: own !== undefined || values.DARKROOM_LOCAL_SD_SERVER !== undefined || ownServers.length > 0,
  };
}

function passedVariables(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed = Object.entries(environment).filter(([name]) => PASSED.test(name));
  return Object.fromEntries(passed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function webAddress(example: string, description: string) {
  const expected = `a URL such as ${example}`;
  return Type.Optional(Type.Refine(Type.String({ expected, description }), isWebAddress, () => expected));
}

function whole(
  { from, to, unless }: { readonly from: number; readonly to: number; readonly unless: number },
  description: string,
) {
  const expected = `a whole number from ${from} to ${to}`;
  return Type.Integer({ minimum: from, maximum: to, expected, description, default: unless });
}
