import { Type } from 'typebox';

/**
 * The variables that switch engines on: an upstream's key has the name that its own users know, its address can be overridden.
 * `docs/configuration.md` lists the same ones; a test holds the two together.
 */
export const ENGINE_VARIABLES = {
  FAL_KEY: key('fal', 'a key such as id:secret'),
  DARKROOM_FAL_URL: address('fal', 'https://queue.fal.run'),
  REPLICATE_API_TOKEN: key('replicate', 'a token such as r8_…'),
  DARKROOM_REPLICATE_URL: address('replicate', 'https://api.replicate.com/v1'),
} as const;

/** What an engine of an upstream is made from. */
export interface UpstreamConfig {
  readonly key: string;
  /** Null: the upstream's own. */
  readonly url: string | null;
  /** The variable that switched it on. */
  readonly variable: string;
}

export interface UpstreamConfigs {
  readonly fal: UpstreamConfig | null;
  readonly replicate: UpstreamConfig | null;
}

type EngineValues = { readonly [Name in keyof typeof ENGINE_VARIABLES]?: string };

/** The upstreams that are configured. */
export function upstreamsOf(values: EngineValues): UpstreamConfigs {
  const read = (keyName: keyof EngineValues, urlName: keyof EngineValues): UpstreamConfig | null => {
    const secret = values[keyName];
    return secret === undefined ? null : { key: secret, url: values[urlName] ?? null, variable: keyName };
  };
  return {
    fal: read('FAL_KEY', 'DARKROOM_FAL_URL'),
    replicate: read('REPLICATE_API_TOKEN', 'DARKROOM_REPLICATE_URL'),
  };
}

function key(engine: string, expected: string) {
  const description = `The key that switches the engine \`${engine}\` on.`;
  return Type.Optional(
    Type.Refine(
      Type.String({ expected, description, secret: true }),
      // It travels in a header.
      (value) => /^[\x21-\x7e]+$/.test(value),
      () => expected,
    ),
  );
}

function address(engine: string, own: string) {
  const expected = `an address such as ${own}`;
  const description = `Where the engine \`${engine}\` calls its upstream. Unset: \`${own}\`.`;
  return Type.Optional(
    Type.Refine(
      Type.String({ expected, description }),
      (value) => {
        const url = URL.parse(value);
        return (
          url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === ''
        );
      },
      () => expected,
    ),
  );
}
