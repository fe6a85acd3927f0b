import { LAYERS, openNetwork } from '../network/enlarging-network.ts';
import { cutTiles, MOST_PIXELS, pixelsIn, placeTile } from './cut-tiles.ts';
import { type EnlargedPicture, EnlargeFault, type EnlargeJob } from './enlarge-job.ts';
import { enlargeAlpha, measurePicture, type Pixels, readPicture, writePicture } from './picture-file.ts';
import { spreadColours } from './spread-colours.ts';

/**
 * Enlarges a picture into a new file.
 * @param onProgress percent, whole numbers
 * @throws EnlargeFault
 */
export async function enlargePicture(
  { path, into, factor, format, network: folder }: EnlargeJob,
  onProgress: (percent: number) => void,
): Promise<EnlargedPicture> {
  const picture = await readPicture(path);
  const network = await openNetwork(folder, MOST_PIXELS);
  const { width, height, channels, most } = picture;
  if (channels === 4) spreadColours(picture);
  const values = new (picture.values instanceof Uint16Array ? Uint16Array : Uint8Array)(
    width * height * channels * factor ** 2,
  );
  const enlarged: Pixels = { ...picture, width: width * factor, height: height * factor, values };
  const tiles = cutTiles(width, height);
  let layers = 0;
  let told = 0;
  const onLayer = () => {
    const percent = Math.floor((++layers * 99) / (tiles.length * LAYERS));
    if (percent > told) onProgress(percent);
    told = percent;
  };
  for (const tile of tiles) {
    const part = {
      width: tile.window.width,
      height: tile.window.height,
      pixels: pixelsIn(tile.window, picture, picture.values),
    };
    const pixels = await network.enlarge(part, onLayer);
    placeTile(tile, pixels, { width: enlarged.width, channels, most, factor }, values);
  }
  if (channels === 4) await enlargeAlpha(picture, enlarged);
  await writePicture(enlarged, into, format);
  const written = await measurePicture(into);
  const hasAlpha = channels === 4 && format !== 'jpeg';
  if (written.width !== enlarged.width || written.height !== enlarged.height || written.hasAlpha !== hasAlpha)
    throw new EnlargeFault(`the image came out as ${written.width}x${written.height}`);
  return written;
}
