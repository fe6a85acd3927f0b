import { createGoogleFilmsEngine } from '@darkroom-service/engines/adapters';
import { openFakeGoogle } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const shared = {
  openFake: openFakeGoogle,
  openEngine: (fake, { key, ...tools }) => createGoogleFilmsEngine({ ...tools, key, url: fake.url }),
  references: { inline: 14_000_000, uploads: false, field: 'pictures' },
} satisfies Partial<Parameters<typeof engineConformance>[1]>;
const ratio = { values: { '1:1': '16:9', '16:9': '16:9' } };

engineConformance('Omni', {
  ...shared,
  routes: [
    {
      engine: 'google',
      model: 'gemini-omni-1.1-flash',
      parameters: {
        image_urls: { to: 'content[]', shape: { type: 'image', media: '$' } },
        prompt: { to: 'content[]', shape: { type: 'text', text: '$' } },
        aspect_ratio: { to: 'response_format.aspect_ratio', ...ratio },
      },
      fixed: { response_modalities: ['video'], 'response_format.type': 'video', 'response_format.duration': '8s' },
    },
  ],
  inputs: [{ fields: {}, input: { model: 'gemini-omni-1.1-flash', aspect_ratio: '16:9', duration: '8s' } }],
  ends: {
    'end=ok': { status: 'succeeded' },
    'end=filtered': { status: 'failed', code: 'content_policy', message: /filtered/ },
    'end=failed': { status: 'failed', code: 'upstream_error', message: /internal server issue/ },
    'end=usage': { status: 'failed', code: 'content_policy', message: /usage guidelines/ },
    'end=requires_action': { status: 'failed', code: 'upstream_error', message: /requires_action/ },
    'end=budget_exceeded': { status: 'failed', code: 'upstream_billing' },
    'end=cancelled': STOPPED,
  },
});
