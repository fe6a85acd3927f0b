import type { CatalogFile, Entry, Parameter } from '@darkroom-service/contract/catalog';
import { CHARACTERS, LOCAL_ENGINE, NEGATIVE, PICTURE, PROMPT, ratio, SEED, STRENGTH } from '../entry-parts.ts';
import { type OwnEntry, type OwnModel, type OwnServer, routeModel } from './own-server.ts';

type Route = Entry['routes'][number];
type RouteMap = NonNullable<Route['parameters']>;

/** Parameters that an interface accepts besides the prompt and the size. */
interface Dialect {
  readonly size: RouteMap;
  readonly picture: RouteMap;
  readonly takesSeed: boolean;
  readonly takesNegative: boolean;
  readonly takesStrength: boolean;
  readonly fixed: Readonly<Record<string, unknown>>;
}

const PLAIN = {
  size: { width: 'width', height: 'height' },
  takesSeed: true,
  takesNegative: true,
  takesStrength: true,
} as const;
const DIALECTS: Readonly<Record<OwnServer['api'], Dialect>> = {
  'sd-server': {
    ...PLAIN,
    picture: { image_urls: { to: 'init_image', take: 'first' } },
    fixed: { output_format: 'png' },
  },
  comfyui: { ...PLAIN, picture: { image_urls: { to: 'image', take: 'first' } }, fixed: {} },
  'openai-images': {
    size: { width: { to: 'size', text: '{width}x{height}' } },
    picture: { image_urls: 'image' },
    takesSeed: false,
    takesNegative: false,
    takesStrength: false,
    fixed: {},
  },
};

/** Returns the catalog entries of the models of own servers. */
export function ownEntries(servers: readonly OwnServer[]): CatalogFile['models'] {
  return servers.flatMap((server) =>
    server.models.flatMap((model) => (model.entry === null ? [] : [entryOf(server, model, model.entry)])),
  );
}

function entryOf(server: OwnServer, { model, editModel }: OwnModel, entry: OwnEntry): Entry {
  const dialect = DIALECTS[server.api];
  const takesPicture = editModel !== null;
  const takesNegative = dialect.takesNegative && entry.hasNegativePrompt;
  const [first = '1:1', ...others] = Object.keys(entry.sizes);
  const words: RouteMap = {
    prompt: 'prompt',
    ...dialect.size,
    ...(dialect.takesSeed ? { seed: 'seed' } : {}),
    ...(takesNegative ? { negative_prompt: 'negative_prompt' } : {}),
  };
  const fixed = { ...dialect.fixed, ...entry.fixed };
  const route = (name: string, more: Partial<Route>): Route => ({
    engine: LOCAL_ENGINE,
    model: routeModel(server, name),
    fixed,
    ...more,
  });
  const takesStrength = takesPicture && dialect.takesStrength;
  return {
    model_id: entry.modelId,
    name: entry.title,
    type: 'image',
    description: `${entry.title} on this machine, on the server ${server.name}. No data leaves the machine, unless that server sends it.`,
    parameters: {
      prompt: PROMPT,
      ...(takesNegative ? { negative_prompt: NEGATIVE } : {}),
      ...(takesPicture ? { image_urls: PICTURE } : {}),
      ...(takesStrength ? { strength: STRENGTH } : {}),
      aspect_ratio: ratio([first, ...others], 'Width to height of the image.'),
      ...(dialect.takesSeed ? { seed: SEED as Parameter } : {}),
    },
    required: [['prompt']],
    supported_features: [
      'text_to_image',
      ...(takesPicture ? (['image_to_image'] as const) : []),
      ...(takesNegative ? (['negative_prompt'] as const) : []),
      ...(dialect.takesSeed ? (['seed'] as const) : []),
    ],
    limits: {
      prompt: CHARACTERS,
      ...(takesNegative ? { negative_prompt: CHARACTERS } : {}),
      ...(takesPicture ? { image_urls: { max: 1, role: 'reference' as const } } : {}),
    },
    sizing: { table: { native: { ...entry.sizes } }, tiers: { native: areaOf(entry.sizes[first]) }, tier: 'native' },
    pricing: { components: [{ per: 'image', amount: entry.price }] },
    routes: [
      route(model, {
        ...(takesPicture ? { when: { mode: 'text_to_image' } } : {}),
        parameters: words,
        ...(takesStrength ? { covers: ['strength'] } : {}),
      }),
      ...(editModel === null
        ? []
        : [
            route(editModel, {
              when: { mode: 'image_to_image' },
              parameters: { ...words, ...dialect.picture, ...(takesStrength ? { strength: 'strength' } : {}) },
            }),
          ]),
    ],
  };
}

function areaOf(size = '1024x1024'): [number, number] {
  const [width = 1024, height = 1024] = size.split('x').map(Number);
  return [width, height];
}
