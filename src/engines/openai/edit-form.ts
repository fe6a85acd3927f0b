import sharp from 'sharp';
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';

/**
 * An order with pictures as the form that `/images/edits` takes: `image[]` for each, `mask`, everything else as text.
 * @param input its pictures are data URIs.
 */
export async function editForm({ image, mask, ...fields }: JsonObject): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  const pictures = [image].flat().map((uri) => readDataUri(uri as JsonValue));
  for (const [index, picture] of pictures.entries()) {
    form.append('image[]', blobOf(picture), `image-${index}.${picture.type.split('/')[1] ?? 'png'}`);
  }
  const [first] = pictures;
  if (mask !== undefined && first !== undefined) {
    const bytes = await maskFor(readDataUri(mask as JsonValue).bytes, first.bytes);
    form.append('mask', blobOf({ bytes, type: 'image/png' }), 'mask.png');
  }
  return form;
}

/** Ours is white where the picture changes; theirs is transparent there, and as large as the picture. */
async function maskFor(mask: Buffer, picture: Buffer): Promise<Buffer> {
  const { width, height, autoOrient } = await sharp(picture).metadata();
  const size = { width: autoOrient?.width ?? width, height: autoOrient?.height ?? height };
  const alpha = await sharp(mask)
    .flatten({ background: '#000' })
    .resize({ ...size, fit: 'fill' })
    .greyscale()
    .negate()
    .raw()
    .toBuffer();
  return await sharp({ create: { ...size, channels: 3, background: '#000' } })
    .joinChannel(alpha, { raw: { ...size, channels: 1 } })
    .png()
    .toBuffer();
}

function readDataUri(uri: JsonValue): { readonly bytes: Buffer; readonly type: string } {
  const [, type = 'image/png', base64 = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(String(uri)) ?? [];
  return { bytes: Buffer.from(base64, 'base64'), type };
}

function blobOf({ bytes, type }: { readonly bytes: Buffer; readonly type: string }): Blob {
  return new Blob([new Uint8Array(bytes)], { type });
}
