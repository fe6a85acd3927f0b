import sharp from 'sharp';

/** Checks rules that depend on more than one field, or on the content of a text. @returns field and message */
export function judgeTogether(input: Readonly<Record<string, unknown>>): [string, string] | null {
  const { size = 'auto', output_format: format = 'png', output_compression: compression } = input;
  const { background, prompt, image = [] } = input;
  if (String(prompt).length > 32_000) return ['prompt', 'Expected a maximum length of 32000.'];
  if (compression !== undefined && format === 'png') return ['output_compression', 'Needs jpeg or webp.'];
  if (compression !== undefined && (Number(compression) < 0 || Number(compression) > 100))
    return ['output_compression', '0 to 100'];
  if (background === 'transparent' && format === 'jpeg') return ['background', 'Transparency needs png or webp.'];
  if ((image as unknown[]).length > 16) return ['image', 'At most 16 images.'];
  if (!(image as string[]).every((one) => /^data:image\/(png|jpeg|webp);/.test(one) && one.length < 66_000_000)) {
    return ['image', 'Expected png, jpeg or webp of less than 50 MB.'];
  }
  if (size === 'auto') return null;
  const [width = 0, height = 0] = (/^(\d+)x(\d+)$/.exec(String(size)) ?? []).slice(1).map(Number);
  const isFit = width > 0 && height > 0 && width % 16 === 0 && height % 16 === 0;
  const isOfSize = width * height >= 655_360 && width * height <= 8_294_400;
  if (!isFit || !isOfSize || Math.max(width, height) > 3840 || Math.max(width / height, height / width) > 3) {
    return ['size', `Invalid size '${String(size)}'.`];
  }
  return null;
}

/** Checks the mask: it has the size of the first picture, and is transparent where that changes. */
export async function judgeMask({ mask, image }: Readonly<Record<string, unknown>>): Promise<[string, string] | null> {
  if (mask === undefined) return null;
  const bytesOf = (uri: unknown) => Buffer.from(String(uri).split(',')[1] ?? '', 'base64');
  const [bytes, first] = [bytesOf(mask), bytesOf((image as unknown[])[0])];
  const [own, theirs] = [await sharp(bytes).metadata(), await sharp(first).metadata()];
  const isRight = own.format === 'png' && own.hasAlpha && bytes.length < 4_000_000;
  const isAlike = own.width === theirs.width && own.height === theirs.height;
  return isRight && isAlike ? null : ['mask', 'Expected a PNG with an alpha channel, of the size of the first image.'];
}
