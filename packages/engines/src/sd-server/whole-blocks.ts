import type { JsonObject } from '@darkroom-service/contract';
import { isRetryable, type Sides } from '@darkroom-service/media';
import { EngineError, type Order } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';

/**
 * Pixels of a block. UNet models (Stable Diffusion 1 to XL) work in blocks of 64 pixels: the server renders other sides
 * larger and in another ratio, and does not say so (stable-diffusion.cpp 97d2990). So the size is ordered in whole
 * blocks, and the pixels beyond the customer's size are cut off.
 */
const BLOCK = 64;
/** Pictures that the server resizes to the size of the order. */
const FRAMED = ['init_image', 'mask_image'];

/** The customer's size, if it is not the size that is rendered. */
export type Frame = { readonly width: number; readonly height: number } | null;

/** Returns the size that the server is asked for, and the customer's size if that differs. */
export function inWholeBlocks({
  width,
  height,
}: JsonObject): { readonly rendered: Sides; readonly frame: Frame } | null {
  if (typeof width !== 'number' || typeof height !== 'number') return null;
  const rendered = renderedSize({ width, height });
  const isWhole = rendered.width === width && rendered.height === height;
  return { rendered, frame: isWhole ? null : { width, height } };
}

/**
 * Returns the input with its pictures continued beyond their edges, so that nothing is stretched.
 * @throws EngineError
 */
export async function widenPictures(
  input: JsonObject,
  frame: Sides,
  tools: PictureTools,
  order: Order,
): Promise<JsonObject> {
  const widened: { [name: string]: string } = {};
  for (const name of FRAMED) {
    const picture = input[name];
    if (typeof picture !== 'string') continue;
    const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
    const wide = await tools
      .edit('widen', [bytes, frame, renderedSize(frame)], callOf(order))
      .catch((cause: unknown): never => {
        if (isRetryable(cause)) throw cannotNow('no', cause);
        throw new EngineError('invalid_input', 'the picture cannot be read', { took: 'no', cause });
      });
    widened[name] = `data:image/png;base64,${Buffer.from(wide).toString('base64')}`;
  }
  return { ...input, ...widened };
}

/** Returns a rendered picture in the customer's size; as it is if it cannot be read. @throws EngineError */
export async function cutToFrame(
  picture: Uint8Array,
  frame: Sides,
  tools: PictureTools,
  order: Order,
): Promise<Uint8Array> {
  const cut = tools.edit('cutMargin', [picture, frame, renderedSize(frame)], callOf(order));
  return await cut.catch((cause: unknown) => {
    if (isRetryable(cause)) throw cannotNow('yes', cause);
    return picture;
  });
}

function renderedSize({ width, height }: Sides): Sides {
  const whole = (side: number) => Math.ceil(side / BLOCK) * BLOCK;
  return { width: whole(width), height: whole(height) };
}

function callOf({ keyId, taskId }: Order): { owner: string } {
  return { owner: keyId ?? taskId };
}

function cannotNow(took: 'no' | 'yes', cause: unknown): EngineError {
  return new EngineError('busy', 'pictures cannot be edited right now', { took, cause });
}
