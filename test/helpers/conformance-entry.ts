import { plainEntry } from './plain-entry.ts';

/** A model for a cent, with something of everything that an engine has to say. No route says `style`. */
export function conformanceEntry(modelId: string, routes: readonly object[]): object {
  return plainEntry({
    model_id: modelId,
    parameters: {
      prompt: { type: 'string', default: null, description: 'What to see.' },
      image_urls: {
        type: 'array',
        items: { type: 'string', format: 'uri', 'x-media': 'image' },
        minItems: 1,
        maxItems: 3,
        default: null,
        description: 'Pictures to start from.',
      },
      aspect_ratio: { type: 'string', enum: ['1:1', '16:9'], default: '1:1', description: 'Width to height.' },
      seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647, default: null, description: 'For like results.' },
      style: { type: 'string', default: null, description: 'Something that no upstream takes.' },
    },
    supported_features: ['text_to_image', 'image_to_image', 'seed'],
    limits: { image_urls: { max: 3, role: 'reference' } },
    routes,
  });
}
