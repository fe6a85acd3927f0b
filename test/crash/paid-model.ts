/** A route that costs the operator three cents a picture. */
export function paidRoute(engine: string): object {
  return { engine, cost: { as_of: '2026-11-21', source: 'a test', components: [{ per: 'image', amount: '0.03' }] } };
}

/** A catalog entry that only the engine of its own name makes: one square picture for four cents. */
export function paidModel(name: string): object {
  return {
    model_id: name,
    name,
    type: 'image',
    description: 'A model that only the engine of its own name makes.',
    parameters: {
      prompt: { type: 'string', default: null, description: 'What to see.' },
      aspect_ratio: { type: 'string', enum: ['1:1'], default: '1:1', description: 'Square.' },
    },
    required: [['prompt']],
    supported_features: ['text_to_image'],
    pricing: { components: [{ per: 'image', amount: '0.04' }] },
    routes: [paidRoute(name)],
  };
}
