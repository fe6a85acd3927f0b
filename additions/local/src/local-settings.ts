import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigFault, defineSettings, integer, oneOf, text, webAddress } from '@darkroom-service/darkroom/kernel';
import type { Environment } from '@darkroom-service/darkroom/kernel-cli';
import { Type } from 'typebox';
import { NETWORK_SETTINGS } from './own-servers/own-server.ts';
import { ownServersOf } from './own-servers/own-server-file.ts';

const VARIABLES = {
  DARKROOM_LOCAL_DIR: Type.Optional(
    text({
      expected: 'a directory',
      description: 'The directory of pulled models; created if missing. Unset: `local` in DARKROOM_DATA_DIR.',
    }),
  ),
  DARKROOM_LOCAL_HUB_URL: webAddress(
    'https://models.example.com',
    'A mirror of the model hub `https://huggingface.co`. It may be plain HTTP or have a private address; its redirects to other hosts may not.',
  ),
  DARKROOM_LOCAL_HUB_TOKEN: Type.Optional(
    text(
      {
        expected: 'a token without spaces',
        secret: true,
        description:
          'A token of your account at the model hub, for files whose terms must be accepted there. Only the host of the hub gets it.',
      },
      (value) => /^[\x21-\x7e]+$/.test(value),
    ),
  ),
  DARKROOM_LOCAL_RELEASES_URL: webAddress(
    'https://releases.example.com',
    'A mirror of the release files of engines, with the paths of GitHub, and of the lists of releases below `/api/v3`.',
  ),
  DARKROOM_LOCAL_PROXY: Type.Optional(
    text(
      {
        expected: 'a URL such as http://proxy.example.com:3128',
        secret: true,
        description:
          'The HTTP proxy for downloads of models, with user and password if needed. The proxy resolves the names. Unset: the [outgoing proxies](#outgoing-proxies).',
      },
      (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    ),
  ),
  DARKROOM_LOCAL_SD_SERVER: Type.Optional(
    text({
      expected: 'the path of a program',
      description: 'Your own sd-server (stable-diffusion.cpp) in place of the pulled build.',
    }),
  ),
  DARKROOM_LOCAL_SERVERS: integer(
    1,
    16,
    'How many models may be loaded at once, if the memory suffices. With one graphics card, leave it at 1.',
    1,
  ),
  DARKROOM_LOCAL_SERVERS_FILE: Type.Optional(
    text({
      expected: 'the path of a JSON file',
      description:
        '[Servers of your own](local.md#servers-of-your-own) that Darkroom starts and ends, such as ComfyUI.',
    }),
  ),
  DARKROOM_LOCAL_NETWORK: oneOf(
    NETWORK_SETTINGS,
    'Whether the servers that Darkroom starts can reach other machines and programs. `closed`: no; they are not started if the system cannot prevent it. `auto`: no, where the system can prevent it.',
    'auto',
  ),
  DARKROOM_LOCAL_MEMORY_MB: Type.Optional(
    integer(
      100,
      100_000_000,
      'The main memory in MB of 1,048,576 bytes for all loaded models. A server that uses more is ended; a working one is checked every 5 seconds. Unset: 80 % of the machine.',
    ),
  ),
  DARKROOM_LOCAL_IDLE_SECONDS: integer(1, 31_536_000, 'After this time without an order a model is unloaded.', 300),
} as const;

/** Variables that servers may see: no proxies, no keys and no settings of a hub. */
const PASSED = /^(PATH|LANG|LC_\w+|TZ|SystemRoot|(CUDA|HIP|ROCR|GPU|HSA|VK|GGML|MESA|RADV)_\w+)$/;

const SHARE_OF_MEMORY = 0.8;
const SECOND = 1000;
/** Time within which a model must load; then its server is ended and started again. */
const LOAD_MS = 600 * SECOND;
/** Silence during an order after which a server is ended. On a slow processor a step can take minutes. */
const STALL_MS = 900 * SECOND;

/** The models of this machine: where they are stored, how they are downloaded, and what their servers may use. */
export const LOCAL_SETTINGS = defineSettings({
  variables: VARIABLES,
  read(values, { directory, dataDirectory, environment }) {
    const own = values.DARKROOM_LOCAL_DIR;
    const { servers: ownServers, faults } = ownServersOf(values.DARKROOM_LOCAL_SERVERS_FILE, {
      environment,
      network: values.DARKROOM_LOCAL_NETWORK,
      directory,
    });
    if (faults.length > 0) throw new ConfigFault(faults);
    return {
      /** Directory of the models, an absolute path. */
      directory: own === undefined ? join(dataDirectory, 'local') : resolve(directory, own),
      /** URL of the hub without a trailing slash, like `releasesUrl`; null = the public host. */
      hubUrl: values.DARKROOM_LOCAL_HUB_URL?.replace(/\/+$/, '') ?? null,
      /** Token of the hub, a secret; null = no account. */
      hubToken: values.DARKROOM_LOCAL_HUB_TOKEN ?? null,
      releasesUrl: values.DARKROOM_LOCAL_RELEASES_URL?.replace(/\/+$/, '') ?? null,
      /** URL of the proxy; may contain a password. */
      proxy: values.DARKROOM_LOCAL_PROXY ?? null,
      /** The operator's own sd-server, an absolute path; null = the pulled build. */
      program:
        values.DARKROOM_LOCAL_SD_SERVER === undefined ? null : resolve(directory, values.DARKROOM_LOCAL_SD_SERVER),
      /** Maximum number of models that are loaded at once. */
      servers: values.DARKROOM_LOCAL_SERVERS,
      /** Network access of the servers. */
      network: values.DARKROOM_LOCAL_NETWORK,
      /** Main memory of all servers together, in bytes. */
      memoryBytes:
        values.DARKROOM_LOCAL_MEMORY_MB === undefined
          ? Math.floor(totalmem() * SHARE_OF_MEMORY)
          : values.DARKROOM_LOCAL_MEMORY_MB * 1024 * 1024,
      idleMs: values.DARKROOM_LOCAL_IDLE_SECONDS * SECOND,
      loadMs: LOAD_MS,
      stallMs: STALL_MS,
      /** The variables that servers get. */
      environment: passedVariables(environment),
      /** The servers of the operator's file. */
      ownServers,
      /** Whether the operator has set something that local models need, so that they are on before the first pull. */
      isWanted: own !== undefined || values.DARKROOM_LOCAL_SD_SERVER !== undefined || ownServers.length > 0,
    };
  },
});

export type LocalConfig = ReturnType<typeof LOCAL_SETTINGS.read>;

function passedVariables(environment: Environment): Record<string, string> {
  const passed = Object.entries(environment).filter(([name]) => PASSED.test(name));
  return Object.fromEntries(passed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
