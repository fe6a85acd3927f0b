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
};

/** A catalog entry of the least that one needs, with changes. The service checks it when it reads it. */
export function plainEntry(changes: { readonly model_id: string; readonly [field: string]: unknown }): object {
  return { ...plain, name: changes.model_id, ...changes };
}
