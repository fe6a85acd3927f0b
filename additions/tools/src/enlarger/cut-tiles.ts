import { NETWORK_FACTOR } from '../network/enlarging-network.ts';

/** The longest side of a tile, in pixels of the picture. */
const TILE = 128;
/** Pixels around a tile that the network sees too, so that tiles show no seams. */
const MARGIN = 12;
/** Pixels of the largest window, with the network's border. */
export const MOST_PIXELS = (TILE + 2 * MARGIN + 2) ** 2;

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A part of the picture that is enlarged at once. */
export interface Tile {
  /** The pixels that it makes. */
  readonly core: Box;
  /** The pixels that the network sees: the core and its margin, within the picture. */
  readonly window: Box;
}

/** Cuts a picture into tiles of nearly the same size, row by row. */
export function cutTiles(width: number, height: number): readonly Tile[] {
  const columns = cut(width);
  return cut(height).flatMap((row) =>
    columns.map((column) => ({
      core: { left: column.start, top: row.start, width: column.length, height: row.length },
      window: { left: column.from, top: row.from, width: column.seen, height: row.seen },
    })),
  );
}

function cut(length: number) {
  const count = Math.ceil(length / TILE);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round((index * length) / count);
    const end = Math.round(((index + 1) * length) / count);
    const from = Math.max(0, start - MARGIN);
    const seen = Math.min(length, end + MARGIN) - from;
    return { start, length: end - start, from, seen };
  });
}

/** Returns the pixels of a picture's box as numbers from 0 to 1, three a pixel. */
export function pixelsIn(
  box: Box,
  picture: { readonly width: number; readonly channels: number; readonly most: number },
  values: Uint8Array | Uint16Array,
): Float32Array {
  const pixels = new Float32Array(box.width * box.height * 3);
  let at = 0;
  for (let y = 0; y < box.height; y++) {
    let place = ((box.top + y) * picture.width + box.left) * picture.channels;
    for (let x = 0; x < box.width; x++, place += picture.channels)
      for (let colour = 0; colour < 3; colour++) pixels[at++] = (values[place + colour] as number) / picture.most;
  }
  return pixels;
}

/**
 * Writes a tile's core into the enlarged picture. A factor below the network's averages the pixels that become one.
 * @param enlarged the window, four times as large, as numbers from 0 to 1
 */
export function placeTile(
  { core, window }: Tile,
  enlarged: Float32Array,
  picture: { readonly width: number; readonly channels: number; readonly most: number; readonly factor: number },
  values: Uint8Array | Uint16Array,
): void {
  const { factor, channels, most } = picture;
  const joined = NETWORK_FACTOR / factor;
  const row = window.width * NETWORK_FACTOR * 3;
  for (let y = 0; y < core.height * factor; y++)
    for (let x = 0; x < core.width * factor; x++) {
      const from =
        ((core.top - window.top) * NETWORK_FACTOR + y * joined) * row +
        ((core.left - window.left) * NETWORK_FACTOR + x * joined) * 3;
      const to = ((core.top * factor + y) * picture.width + core.left * factor + x) * channels;
      for (let colour = 0; colour < 3; colour++) {
        let sum = 0;
        for (let down = 0; down < joined; down++)
          for (let across = 0; across < joined; across++)
            sum += enlarged[from + down * row + across * 3 + colour] as number;
        const value = Math.round((sum / joined ** 2) * most);
        values[to + colour] = value < 0 ? 0 : value > most ? most : value;
      }
    }
}
