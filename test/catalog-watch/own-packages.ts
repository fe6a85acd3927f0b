import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '../helpers/temporary-directory.ts';

const ROOT = await temporaryDirectory('catalog-watch-');

/** The changes of a test to the packages and the catalog. */
export interface ProcessState {
  /** Entries of the price file beside the usual ones. */
  readonly prices?: Readonly<Record<string, unknown>>;
  readonly decisions?: readonly unknown[];
  readonly names?: Readonly<Record<string, string>>;
  /** Models of @llmgateway/models beside the usual one; or the program that the package is. */
  readonly gateway?: readonly unknown[] | string;
  /** Packages that are not there. */
  readonly without?: readonly string[];
}

const DESCRIBED = { default: null, description: 'A field.' };
const MODELS = [
  {
    model_id: 'lark-film-2',
    name: 'Lark Film 2',
    type: 'video',
    description: 'Films of larks.',
    parameters: {
      prompt: { type: 'string', ...DESCRIBED },
      image_urls: {
        type: 'array',
        items: { type: 'string', format: 'uri', 'x-media': 'image' },
        maxItems: 1,
        ...DESCRIBED,
      },
      resolution: { type: 'string', enum: ['480P', '720P'], default: '720P', description: 'The size.' },
      aspect_ratio: { type: 'string', enum: ['16:9'], default: '16:9', description: 'The ratio.' },
      duration: { type: 'integer', minimum: 4, maximum: 8, default: 4, description: 'Seconds.' },
    },
    required: [['prompt']],
    supported_features: ['text_to_video', 'image_to_video'],
    limits: { prompt: { max: 100, unit: 'characters' }, image_urls: { max: 1, role: 'first_frame' } },
    pricing: {
      components: [
        { per: 'output_second', amount: '0.05', when: { resolution: '480P' } },
        { per: 'output_second', amount: '0.07', when: { resolution: '720P' } },
        { per: 'input_image', amount: '0.01' },
      ],
    },
    routes: [
      {
        engine: 'xai',
        model: 'lark-film-2',
        sunset_at: '2099-03-01T00:00:00Z',
        parameters: { prompt: 'prompt' },
        covers: ['image_urls', 'resolution', 'duration'],
        cost: {
          as_of: '2026-11-01',
          source: 'the vendor of larks',
          components: [
            { per: 'output_second', amount: '0.05', when: { resolution: '480P' } },
            { per: 'output_second', amount: '0.07', when: { resolution: '720P' } },
          ],
        },
      },
      {
        engine: 'fal',
        model: 'lark/film/v2/image-to-video',
        when: { mode: 'image_to_video' },
        parameters: { prompt: 'prompt', image_urls: { to: 'image_url', take: 'first' } },
        covers: ['resolution', 'duration'],
      },
      {
        engine: 'fal',
        model: 'lark/film/v2/text-to-video',
        when: { mode: 'text_to_video' },
        parameters: { prompt: 'prompt' },
        covers: ['resolution', 'duration'],
        cost: { as_of: '2026-11-01', source: 'LiteLLM 7.0.1', components: [{ per: 'output_second', amount: '0.3' }] },
      },
    ],
  },
  {
    model_id: 'lark-image',
    name: 'Lark Image',
    type: 'image',
    description: 'Pictures of larks.',
    parameters: {
      prompt: { type: 'string', ...DESCRIBED },
      size: { type: 'string', pattern: '^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$', ...DESCRIBED },
      aspect_ratio: { type: 'string', enum: ['1:1'], default: '1:1', description: 'The ratio.' },
      quality: { type: 'string', enum: ['low', 'high'], default: 'low', description: 'The quality.' },
    },
    required: [['prompt']],
    supported_features: ['text_to_image'],
    limits: { prompt: { max: 100, unit: 'characters' } },
    sizing: { tier: '1K' },
    pricing: {
      components: [
        {
          per: 'formula',
          formula: { name: 'openai_image_tokens', factor: 16 },
          amount: '0.00003',
          when: { quality: 'low' },
        },
        {
          per: 'formula',
          formula: { name: 'openai_image_tokens', factor: 96 },
          amount: '0.00003',
          when: { quality: 'high' },
        },
        { per: 'formula', formula: { name: 'prompt_tokens', bytes: 4 }, amount: '0.000005' },
      ],
    },
    routes: [],
  },
];

/** Agrees with the catalog. */
const PRICES = {
  'xai/lark-film-2-20261001': {
    litellm_provider: 'xai',
    mode: 'video_generation',
    output_cost_per_second: 0.07,
    output_cost_per_second_480p: 0.05,
    source: 'https://larks.example/prices',
  },
  'low/1024-x-1024/lark-image': { litellm_provider: 'openai', mode: 'image_generation', output_cost_per_image: 0.006 },
  'high/1536-x-1024/lark-image': {
    litellm_provider: 'openai',
    mode: 'image_generation',
    output_cost_per_image: 0.16464,
  },
  'lark-writer': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 0.1 },
};

const PAGE = `# A node

## Inputs

| Parameter | Description | Data Type | Required | Range |
|---|---|---|---|---|
| \`model\` | Unlike "Heron 9", which is another. | COMBO | Yes | \`"Lark Film 2.0"\`<br>\`"heron-from-pages-1"\` |

## Outputs

| Output Name | Description | Data Type |
|---|---|---|
| \`video\` | The film. | VIDEO |
`;

const GATEWAY_HERON = {
  id: 'heron',
  output: ['image'],
  providers: [{ providerId: 'herons', externalId: 'heron-from-llmgateway-1', requestPrice: '0.01' }],
};

const PACKAGES: Readonly<Record<string, string>> = {
  '@ai-sdk/gateway@1.0.1/package/dist/index.d.ts': `
type GatewayImageModelId = 'larks/lark-image' | 'herons/heron-from-gateway-1' | (string & {});
type GatewayVideoModelId = 'larks/lark-v2.0-film' | 'larks/lark-film-2' | (string & {});
type GatewayModelId = 'larks/lark-writer' | 'herons/heron-omni-from-gateway-1' | (string & {});
`,
  'openai@2.0.1/package/resources/images.d.ts': `export type ImageModel = 'lark-image' | 'heron-from-openai-1';`,
  'openai@2.0.1/package/resources/videos.d.ts': `export type VideoModel = (string & {}) | 'lark-film-2';`,
  '@google/genai@3.0.1/package/dist/genai.d.ts': `Model = "gemini-writer-1" | "gemini-heron-image-1";`,
  'Comfy-Org/docs@2026-11-01/tutorials/partner-nodes/pricing.mdx': `## Larks

### Video

| model       | resolution | mode | Credits / sec |
| :---------- | :--------- | :--- | :------------ |
| lark-film-2 | 480P       | —    | 10.55         |
|             | 720P       | —    | 21.12         |
|             | 720P       | fast | 99            |

### Image

| model                                  | Credits                |
| :------------------------------------- | :--------------------- |
| Heron (\`heron-from-comfy-1\`)       | 7.91 / image (× \`n\`) |
`,
  'byteplus-sa/ComfyUI-BytePlus-ModelArk@2026-11-02/nodes/models_config.py': `MODELS = {
    "seedream-9": "dola-seedream-9-0-261101",
    "seedance-9": "seedance-9-0-261101",
}
# Models deprecated on 2026-09-15 and shut down on 2026-11-11
# (a notice).
RETIRED_MODELS = {
    "seedream-8": ("seedream-8-0-251101", "dola-seedream-9-0-261101"),
}
`,
  '@runwayml/sdk@4.0.1/package/resources/text-to-video.d.ts': `interface Film { model: 'heron_from_runway_1'; }`,
  '@runwayml/sdk@4.0.1/package/resources/voices.d.ts': `interface Voice { model: 'heron_voice_1'; }`,
  'xai-sdk@9.0.1/xai_sdk/types/model.py': `ChatModel: TypeAlias = Literal["heron-writer"]
ImageGenerationModel: TypeAlias = Literal[
    "heron-from-xai-1",
]
VideoGenerationModel: TypeAlias = Literal["lark-film-2"]
`,
  'luma-agents@9.0.2/luma_agents/types/model.py': 'Model: TypeAlias = Literal["heron-from-luma-1", "lark-image"]',
  'comfyui-embedded-docs@5.0.1/pages/docs/HeronNode/en.md': PAGE,
  'comfyui-embedded-docs@5.0.1/pages/docs/WriterNode/en.md': PAGE.replace('VIDEO', 'STRING').replace('pages', 'text'),
  'comfyui-workflow-templates-json@6.0.1/templates/index.json': JSON.stringify([
    {
      type: 'video',
      templates: [
        { name: 'api_heron', models: ['Heron', 'Heron From Templates 1'] },
        { name: 'heron_of_your_own', models: ['Heron Open 1'] },
      ],
    },
    { type: 'audio', templates: [{ name: 'api_song', models: ['Heron Song 1'] }] },
  ]),
};

/** Models that each package has and the catalog lacks. */
export const HERONS = [
  'gemini-heron-image-1',
  'heron-from-gateway-1',
  'heron-from-llmgateway-1',
  'heron-from-luma-1',
  'heron-from-openai-1',
  'heron-from-pages-1',
  'heron-from-runway-1',
  'heron-from-templates-1',
  'heron-from-xai-1',
  'heron-omni-from-gateway-1',
  'lark-v2-0-film',
];

/** Writes small packages and a small catalog, and returns their folders and the one around them. */
export async function writeOwnPackages({
  prices = {},
  decisions = [],
  names = {},
  gateway = [],
  without = [],
}: ProcessState) {
  const folder = await mkdtemp(join(ROOT, 'run-'));
  const priceFile = 'litellm@7.0.1/litellm/model_prices_and_context_window_backup.json';
  const herons = {
    date: '2026-11-25',
    reason: 'Herons are not larks.',
    models: ['heron-*', '@google/genai:*', 'lark-v2-0-film'],
  };
  const files: Record<string, string> = {
    [`packages/${priceFile}`]: JSON.stringify({ ...PRICES, ...prices }),
    'packages/@llmgateway/models@8.0.1/package/package.json': '{ "type": "module" }',
    'packages/@llmgateway/models@8.0.1/package/dist/index.js':
      typeof gateway === 'string' ? gateway : `export const models = ${JSON.stringify([GATEWAY_HERON, ...gateway])};`,
    'catalog/larks.json': JSON.stringify({ vendor: 'Larks', models: MODELS }),
    'catalog/watch-decisions.json': JSON.stringify({ names, orders: {}, decisions: [herons, ...decisions] }),
  };
  for (const [path, text] of Object.entries(PACKAGES)) files[`packages/${path}`] = text;
  for (const [path, text] of Object.entries(files)) {
    if (without.some((name) => path.startsWith(`packages/${name}@`))) continue;
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { folder, packages: join(folder, 'packages'), catalog: join(folder, 'catalog') };
}
