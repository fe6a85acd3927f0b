import sharp from 'sharp';

const plain = () => sharp({ create: { width: 48, height: 32, channels: 3, background: '#a63' } });

/** What fakes answer with where the result comes inside the answer. */
export const smallPicture: Promise<Buffer> = plain().png().toBuffer();

/** The same by the word `file` of a prompt, with the type that the upstream says it has. */
export async function pictureInside(file = 'png'): Promise<{ readonly type: string; readonly data: string }> {
  const bytes: Readonly<Record<string, Promise<Buffer> | Buffer>> = {
    png: smallPicture,
    jpeg: plain().jpeg().toBuffer(),
    webp: plain().webp().toBuffer(),
    wrongtype: plain().webp().toBuffer(),
    garbage: Buffer.from('no picture'),
  };
  const data = await bytes[file];
  if (data === undefined) throw new Error(`no such file: ${file}`);
  return { type: file === 'wrongtype' ? 'image/png' : `image/${file}`, data: data.toString('base64') };
}
