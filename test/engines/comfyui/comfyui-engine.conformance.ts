import { join } from 'node:path';
import { createComfyEngine } from '@darkroom-service/engines/adapters';
import { openFakeComfy } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const WORKFLOWS = join(import.meta.dirname, '../../../catalog/workflows');
const words = { prompt: 'prompt', width: 'width', height: 'height', seed: 'seed' };

engineConformance('ComfyUI', {
  isFree: true,
  openFake: openFakeComfy,
  openEngine: (fake, { key, ...tools }) =>
    createComfyEngine({
      ...tools,
      urls: [fake.url],
      authorization: `Bearer ${key}`,
      workflowDirectories: [WORKFLOWS],
      perServer: 50,
    }),
  routes: [
    {
      engine: 'comfyui',
      model: 'sdxl-text-to-image',
      when: { mode: 'text_to_image' },
      parameters: words,
    },
    {
      engine: 'comfyui',
      model: 'sdxl-image-to-image',
      parameters: { ...words, image_urls: { to: 'image', take: 'first' } },
    },
  ],
  looksUp: true,
  inputs: [
    { fields: { seed: 7 }, input: { width: 512, height: 512, seed: 7 } },
    { fields: { aspect_ratio: '16:9', seed: 3 }, input: { width: 672, height: 384, seed: 3 } },
  ],
  ends: {
    'end=ok': { status: 'succeeded' },
    'end=preview': { status: 'succeeded' },
    'end=gif': { status: 'succeeded' },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'end=interrupted': STOPPED,
    'end=memory': { status: 'failed', code: 'upstream_error', message: /KSampler: CUDA out of memory/ },
  },
  references: { inline: 0, uploads: true, field: 'image' },
});
