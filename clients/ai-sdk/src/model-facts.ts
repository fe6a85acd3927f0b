import type { Darkroom } from '@darkroom/client';

/** The facts of a model that the provider needs to map the options of the AI SDK. */
export interface ModelFacts {
  /** The values of each field that the model accepts; an empty list if any value of its type may be sent. */
  readonly fields: ReadonlyMap<string, readonly unknown[]>;
  /** The role of the pictures in `image_urls`: `reference`, `first_frame` or `first_and_last_frame`. */
  readonly imageRole: string;
}

/** A client and what is known of the service's models. */
export interface ProviderContext {
  readonly client: Darkroom;
  readonly facts: (modelId: string) => Promise<ModelFacts>;
}

/** Reads each model once. A failed reading is not kept. */
export function createModelFacts(client: () => Darkroom): ProviderContext['facts'] {
  const known = new Map<string, Promise<ModelFacts>>();
  return (modelId) => {
    const found = known.get(modelId);
    if (found !== undefined) return found;
    const reading = readFacts(client(), modelId);
    known.set(modelId, reading);
    reading.catch(() => known.delete(modelId));
    return reading;
  };
}

async function readFacts(client: Darkroom, modelId: string): Promise<ModelFacts> {
  const { parameters, limits } = await client.models.get(modelId);
  const entries = Object.entries(parameters as Readonly<Record<string, { readonly enum?: readonly unknown[] }>>);
  const { image_urls: images } = limits as Readonly<Record<string, { readonly role?: string }>>;
  return {
    fields: new Map(entries.map(([name, schema]) => [name, schema.enum ?? []])),
    imageRole: images?.role ?? 'reference',
  };
}
