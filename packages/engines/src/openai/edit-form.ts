import type { JsonObject, JsonValue } from '@darkroom-service/contract';

/**
 * Encodes an order with pictures as the form that `/images/edits` expects: `image[]` for each picture, `mask`,
 * everything else as text.
 * @param input the order, with pictures as data URIs.
 * @param fitMask converts one of our masks, for the first picture, to OpenAI's format as a PNG.
 */
export async function editForm(
  { image, mask, ...fields }: JsonObject,
  fitMask: (mask: Uint8Array, picture: Uint8Array) => Promise<Uint8Array>,
): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  const pictures = [image].flat().map((uri) => readDataUri(uri as JsonValue));
  for (const [index, picture] of pictures.entries()) {
    form.append('image[]', blobOf(picture), `image-${index}.${picture.type.split('/')[1] ?? 'png'}`);
  }
  const [first] = pictures;
  if (mask !== undefined && first !== undefined) {
    const bytes = await fitMask(readDataUri(mask as JsonValue).bytes, first.bytes);
    form.append('mask', blobOf({ bytes, type: 'image/png' }), 'mask.png');
  }
  return form;
}

function readDataUri(uri: JsonValue): { readonly bytes: Uint8Array; readonly type: string } {
  const [, type = 'image/png', base64 = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(String(uri)) ?? [];
  return { bytes: Buffer.from(base64, 'base64'), type };
}

function blobOf({ bytes, type }: { readonly bytes: Uint8Array; readonly type: string }): Blob {
  return new Blob([new Uint8Array(bytes)], { type });
}
