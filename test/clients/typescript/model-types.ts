import type { Darkroom } from '@darkroom/client';

/** Checked by the compiler and never run: the client knows the fields and values of each model. */
export async function ordersThatCompile(client: Darkroom, custom: Darkroom<OwnModels>, anyId: string): Promise<void> {
  await client.images.create({
    model_id: 'flux-2-pro',
    prompt: 'a fox',
    aspect_ratio: '16:9',
    metadata: { order: '1' },
  });
  await client.images.create({ model_id: anyId, prompt: 'a fox', guidance_scale: 3 });
  await client.videos.generate({ model_id: 'sketch-motion', prompt: 'a boat', duration: 2 });
  await client.prices({ model_id: 'flux-2-pro', resolution: '2K' });

  // @ts-expect-error the model does not have this value
  await client.images.create({ model_id: 'flux-2-pro', prompt: 'a fox', aspect_ratio: '7:3' });
  // @ts-expect-error the model does not have this field
  await client.images.create({ model_id: 'flux-2-pro', prompt: 'a fox', steps: 3 });
  // @ts-expect-error the model needs a prompt
  await client.images.create({ model_id: 'flux-2-pro' });
  // @ts-expect-error a quote for a known model has its values only
  await client.prices({ model_id: 'flux-2-pro', resolution: '9K' });

  await custom.images.create({ model_id: 'house-style', prompt: 'a fox', mood: 'calm' });
  // @ts-expect-error the value is not one of the operator's own catalog
  await custom.images.create({ model_id: 'house-style', prompt: 'a fox', mood: 'loud' });
}

interface OwnModels {
  readonly image: { readonly 'house-style': { readonly prompt: string; readonly mood?: 'calm' | 'wild' | undefined } };
  readonly video: Record<never, never>;
}
