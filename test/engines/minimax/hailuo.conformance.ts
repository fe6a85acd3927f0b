import { createMinimaxEngine } from '@darkroom-service/engines/adapters';
import { openFakeMinimax } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'MiniMax-Hailuo-2.3';

engineConformance('MiniMax by its older interface', {
  openFake: openFakeMinimax,
  openEngine: (fake, { key, ...tools }) => createMinimaxEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'minimax',
      model: model,
      parameters: { prompt: 'prompt', image_urls: { to: 'first_frame_image', take: 'first' } },
      covers: ['aspect_ratio'],
    },
  ],
  inputs: [{ fields: {}, input: { model } }],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /sensitive/ },
    'submit=quietbilling': { status: 'failed', code: 'upstream_billing' },
    'submit=quietcontent': { status: 'failed', code: 'content_policy' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /unknown error/ },
  },
  references: { inline: 10000000, uploads: false, field: 'first_frame_image' },
});
