import type { Entry } from '../src/catalog/entry-schema.ts';

const plain = {
  type: 'image',
  description: 'A model for tests.',
  parameters: {
    prompt: { type: 'string', default: null, description: 'What to see.' },
    aspect_ratio: { type: 'string', enum: ['1:1'], default: '1:1', description: 'Width to height.' },
  },
  required: [['prompt']],
  supported_features: ['text_to_image'],
  sizing: { tier: '0.5K' },
  pricing: { components: [{ per: 'image', amount: '0.01' }] },
  routes: [{ engine: 'sketch' }],
} satisfies Partial<Entry>;

/** A catalog entry of the least that one needs, with changes. */
export function plainEntry(changes: Partial<Entry> & Pick<Entry, 'model_id'>): Entry {
  return { ...plain, name: changes.model_id, ...changes };
}
