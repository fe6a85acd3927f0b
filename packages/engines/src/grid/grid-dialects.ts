import type { JsonObject } from '@darkroom-service/contract';
import type { RouteMap } from '@darkroom-service/contract/catalog';
import type { GridJob } from './grid-job.ts';

/**
 * Form in which a grid family's jobs are sent to an upstream. The maps read `prompt`, `negative_prompt`, `seed`,
 * `width`, `height`, `count`, `strength`, `picture`, `mask`.
 */
export interface GridDialect {
  /** Returns the upstream's model for a kind of job, derived from the route's model. */
  model(base: string, kind: Exclude<GridJob['kind'], 'tile'>): string;
  readonly parameters: RouteMap;
  readonly fixed: JsonObject;
}

const plain = { prompt: 'prompt', negative_prompt: 'negative_prompt', seed: 'seed', strength: 'strength' };

/** `sdxl` stands for the workflows `sdxl-text-to-image`, `sdxl-image-to-image` and `sdxl-masked-edit`. */
export const COMFYUI_GRID: GridDialect = {
  model: (base, kind) => `${base}-${{ text: 'text-to-image', image: 'image-to-image', masked: 'masked-edit' }[kind]}`,
  parameters: { ...plain, width: 'width', height: 'height', count: 'count', picture: 'image', mask: 'mask' },
  fixed: {},
};

export const SD_SERVER_GRID: GridDialect = {
  model: (base) => base,
  parameters: {
    ...plain,
    width: 'width',
    height: 'height',
    count: 'batch_count',
    picture: 'init_image',
    mask: 'mask_image',
  },
  fixed: { output_format: 'png' },
};

/** `fal-ai/fast-sdxl` and similar models: the same fields at `/image-to-image` and `/inpainting`. */
export const FAL_GRID: GridDialect = {
  model: (base, kind) => `${base}${{ text: '', image: '/image-to-image', masked: '/inpainting' }[kind]}`,
  parameters: {
    ...plain,
    width: 'image_size.width',
    height: 'image_size.height',
    count: 'num_images',
    picture: 'image_url',
    mask: 'mask_url',
  },
  fixed: { format: 'png' },
};
