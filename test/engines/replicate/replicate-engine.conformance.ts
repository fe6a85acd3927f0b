import { createReplicateEngine } from '@darkroom-service/engines/adapters';
import { openFakeReplicate } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

engineConformance('Replicate', {
  openFake: () =>
    openFakeReplicate({
      'foxes/fox-2': {
        prompt: { type: 'string', required: true },
        aspect_ratio: { type: 'string', enum: ['1:1', '16:9'] },
        seed: { type: 'integer' },
        input_images: { type: 'urls' },
      },
    }),
  openEngine: (fake, { key, ...tools }) => createReplicateEngine({ ...tools, token: key, url: fake.url }),
  routes: [
    {
      engine: 'replicate',
      model: 'foxes/fox-2',
      parameters: {
        prompt: 'prompt',
        seed: 'seed',
        aspect_ratio: 'aspect_ratio',
        image_urls: 'input_images',
      },
    },
  ],
  inputs: [
    { fields: {}, input: { aspect_ratio: '1:1' } },
    { fields: { aspect_ratio: '16:9', seed: 3 }, input: { aspect_ratio: '16:9', seed: 3 } },
  ],
  ends: {
    'end=string': { status: 'succeeded' },
    'end=object': { status: 'succeeded' },
    'end=words': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'end=removed': { status: 'failed', code: 'upstream_error', message: /deleted/ },
    'end=aborted': STOPPED,
    'end=late': { status: 'failed', code: 'upstream_error', message: /nobody had canceled here: Deadline exceeded/ },
    'end=detail': { status: 'failed', code: 'upstream_error', message: /The weights cannot be read/ },
    'end=faults': { status: 'failed', code: 'upstream_error', message: /image: cannot be opened/ },
    'end=odd': { status: 'failed', code: 'upstream_error', message: /out of luck/ },
    'end=canceled': STOPPED,
    'end=nsfw': { status: 'failed', code: 'content_policy', message: /NSFW/ },
    'end=sensitive': { status: 'failed', code: 'content_policy', message: /E005/ },
    'end=invalid': { status: 'failed', code: 'invalid_input', message: /E006/ },
    'end=demand': { status: 'failed', code: 'upstream_error', message: /high demand/ },
    'end=memory': { status: 'failed', code: 'upstream_error', message: /out of memory/ },
  },
  references: { inline: 190_000, uploads: true, field: 'input_images' },
});
