import { join, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
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
    'A mirror of the model hub. Only a mirror that is named here may be plain HTTP or have a private address. Unset: `https://huggingface.co`.',
  ),
  DARKROOM_LOCAL_RELEASES_URL: webAddress(
    'https://releases.example.com',
    'A mirror of the release files of engines, with the paths of GitHub. Unset: `https://github.com`.',
  ),
  DARKROOM_LOCAL_PROXY: Type.Optional(
    Type.Refine(
      Type.String({
        expected: 'a URL such as http://proxy.example.com:3128',
        secret: true,
        description:
          'The HTTP proxy for downloads of models; user and password may be part of it. The proxy resolves the names. Unset: no proxy.',
      }),
      (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
      () => 'a URL such as http://proxy.example.com:3128',
    ),
  ),
  DARKROOM_LOCAL_CONNECTIONS: Type.Integer({
    minimum: 1,
    maximum: 16,
    expected: 'a whole number from 1 to 16',
    description: 'How many parts of a file are downloaded at once.',
    default: 4,
  }),
} as const;

type LocalValues = {
  readonly DARKROOM_LOCAL_DIR?: string;
  readonly DARKROOM_LOCAL_HUB_URL?: string;
  readonly DARKROOM_LOCAL_RELEASES_URL?: string;
  readonly DARKROOM_LOCAL_PROXY?: string;
  readonly DARKROOM_LOCAL_CONNECTIONS: Static<typeof LOCAL_VARIABLES.DARKROOM_LOCAL_CONNECTIONS>;
};

/** Where pulled models are stored, and how they are downloaded. */
export interface LocalConfig {
  /** An absolute path. */
  readonly directory: string;
  /** Without a trailing slash; null = the public hub. */
  readonly hubUrl: string | null;
  /** Without a trailing slash; null = the public host. */
  readonly releasesUrl: string | null;
  /** May hold a password. */
  readonly proxy: string | null;
  /** Requests at once for one file. */
  readonly connections: number;
}

export function localOf(values: LocalValues, directory: string, dataDirectory: string): LocalConfig {
  const own = values.DARKROOM_LOCAL_DIR;
  return {
    directory: own === undefined ? join(dataDirectory, 'local') : resolve(directory, own),
    hubUrl: values.DARKROOM_LOCAL_HUB_URL?.replace(/\/+$/, '') ?? null,
    releasesUrl: values.DARKROOM_LOCAL_RELEASES_URL?.replace(/\/+$/, '') ?? null,
    proxy: values.DARKROOM_LOCAL_PROXY ?? null,
    connections: values.DARKROOM_LOCAL_CONNECTIONS,
  };
}

function webAddress(example: string, description: string) {
  const expected = `a URL such as ${example}`;
  return Type.Optional(Type.Refine(Type.String({ expected, description }), isWebAddress, () => expected));
}
