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
export function plainEntry(changes: { readonly model_id: string; readonly [field: string]: unknown }) {
  return { ...plain, name: changes.model_id, ...changes };
}

/** Returns a catalog entry of a plain model of videos. */
export function filmEntry(changes: { readonly model_id: string; readonly [field: string]: unknown }): object {
  return plainEntry({
    type: 'video',
    supported_features: ['text_to_video'],
    sizing: { tier: '360p' },
    pricing: { components: [{ per: 'clip', amount: '0.01' }] },
    ...changes,
  });
}

/** Returns a catalog entry of a model that works from one picture, which its engine has to read. */
export function fromPictureEntry(changes: { readonly model_id: string; readonly [field: string]: unknown }): object {
  return plainEntry({
    parameters: {
      ...plain.parameters,
      image_urls: {
        type: 'array',
        items: { type: 'string', format: 'uri' },
        'x-media': 'image',
        default: null,
        description: 'What to work from.',
      },
    },
    supported_features: ['image_to_image'],
    limits: { image_urls: { max: 1, role: 'reference' } },
    ...changes,
  });
}
