import { CHANNELS_AT_ONCE, type ConvolveRow, compileConvolution } from './convolution-program.ts';
import { type Layer, readWeights } from './network-weights.ts';
import { webAssembly } from './web-assembly.ts';

/** Factor by which each side becomes longer. */
export const NETWORK_FACTOR = 4;

/** Enlarges parts of a picture four times. */
export interface EnlargingNetwork {
  /**
   * Enlarges a part. Gives the processor back between layers.
   * @param part numbers from 0 to 1, three a pixel
   * @param onLayer is called after each of `LAYERS`
   * @returns the same for four times the width and height
   */
  enlarge(part: Part, onLayer?: () => void): Promise<Float32Array>;
}

export interface Part {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

/** Dense blocks, each of four rectified convolutions that see all channels before them, and one that joins them. */
const GROUPS = 10;
const BLOCKS = 3;
const DENSE = 4;
/** Convolutions of one part. */
export const LAYERS = 4 + GROUPS * BLOCKS * (DENSE + 1);
/** Share of a block's result that is added to its input. */
const RESIDUAL = 0.2;

const FEATURES = 64;
const GROWTH = 32;
/** Numbers from one pixel to the next: a block's input with all that it adds. */
const WIDE = FEATURES + DENSE * GROWTH;
const SHUFFLED = 3 * NETWORK_FACTOR ** 2;
const COLOURS = 4;
const NUMBER_BYTES = 4;
const PAGE_BYTES = 65_536;
const STRIDES = [
  { input: COLOURS, output: WIDE },
  { input: WIDE, output: WIDE },
  { input: WIDE, output: SHUFFLED },
  { input: COLOURS, output: CHANNELS_AT_ONCE },
].map(({ input, output }) => ({ input: input * NUMBER_BYTES, output: output * NUMBER_BYTES }));

/** A picture in the program's memory, with a border of one pixel that stays zero. */
interface Plane {
  readonly address: number;
  readonly width: number;
  readonly height: number;
  /** Numbers from one pixel to the next. */
  readonly stride: number;
}

/**
 * Opens the network.
 * @param folder has the model as TensorFlow.js stores it
 * @param mostPixels of a part with its border of one pixel; it sets the memory: about 2 kB a pixel
 */
export async function openNetwork(folder: string, mostPixels: number): Promise<EnlargingNetwork> {
  const layers = await readWeights(folder);
  let end = PAGE_BYTES;
  const reserve = (numbers: number) => {
    const address = end;
    end += Math.ceil((numbers * NUMBER_BYTES) / 64) * 64;
    return address;
  };
  const addresses = new Map(
    [...layers].map(([name, { weights, bias }]) => [
      name,
      { weights: reserve(weights.length), bias: reserve(bias.length) },
    ]),
  );
  const wide = [reserve(mostPixels * WIDE), reserve(mostPixels * WIDE)] as const;
  const memory = new webAssembly.Memory({ initial: Math.ceil(end / PAGE_BYTES) });
  const numbers = new Float32Array(memory.buffer);
  for (const [name, { weights, bias }] of layers) {
    const at = addresses.get(name);
    if (at === undefined) continue;
    numbers.set(weights, at.weights / NUMBER_BYTES);
    numbers.set(bias, at.bias / NUMBER_BYTES);
  }
  const [fromColours, betweenBlocks, toShuffled, toColours] = compileConvolution(memory, STRIDES) as [
    ConvolveRow,
    ConvolveRow,
    ConvolveRow,
    ConvolveRow,
  ];

  return { enlarge };

  async function enlarge({ width, height, pixels }: Part, onLayer: () => void = () => undefined) {
    const planeAt = (address: number, stride: number, factor = 1): Plane => ({
      address,
      width: width * factor,
      height: height * factor,
      stride,
    });
    let from = planeAt(wide[0], WIDE);
    let to = planeAt(wide[1], WIDE);
    for (const plane of [from, to]) clear(plane);

    const colours = planeAt(wide[1], COLOURS);
    setColours(colours, pixels);
    await run('Pre_blocks_conv', fromColours, colours, from, { channel: 0, isRectified: false });
    clear(to);
    const first = features(from);
    for (let group = 1; group <= GROUPS; group++) {
      const before = features(from);
      for (let block = 1; block <= BLOCKS; block++) {
        for (let layer = 1; layer <= DENSE; layer++) {
          const channel = FEATURES + (layer - 1) * GROWTH;
          await run(`F_${group}_${block}_${layer}`, betweenBlocks, from, from, { channel, isRectified: true });
        }
        await run(`LFF_${group}_${block}`, betweenBlocks, from, to, { channel: 0, isRectified: false });
        addShare(to, RESIDUAL, features(from));
        [from, to] = [to, from];
      }
      addShare(from, RESIDUAL, before);
    }
    await run('post_blocks_conv', betweenBlocks, from, to, { channel: 0, isRectified: false });
    addShare(to, 1, first);
    const shuffled = planeAt(from.address, SHUFFLED);
    await run('PreShuffle', toShuffled, to, shuffled, { channel: 0, isRectified: false });
    const large = planeAt(to.address, COLOURS, NETWORK_FACTOR);
    clear(large);
    shuffle(shuffled, large);
    const result = planeAt(from.address, CHANNELS_AT_ONCE, NETWORK_FACTOR);
    await run('SR', toColours, large, result, { channel: 0, isRectified: false });
    return coloursOf(result);

    async function run(
      name: string,
      convolve: ConvolveRow,
      input: Plane,
      output: Plane,
      { channel, isRectified }: { readonly channel: number; readonly isRectified: boolean },
    ): Promise<void> {
      const { inputs, outputs } = layers.get(name) as Layer;
      const at = addresses.get(name) as { readonly weights: number; readonly bias: number };
      const rowBytes = (input.width + 2) * input.stride * NUMBER_BYTES;
      const groupBytes = 9 * inputs * CHANNELS_AT_ONCE * NUMBER_BYTES;
      for (let group = 0; group * CHANNELS_AT_ONCE < outputs; group++)
        for (let y = 0; y < input.height; y++)
          convolve(
            input.address + y * rowBytes,
            at.weights + group * groupBytes,
            at.bias + group * CHANNELS_AT_ONCE * NUMBER_BYTES,
            (placeOf(output, 0, y) + channel + group * CHANNELS_AT_ONCE) * NUMBER_BYTES,
            input.width,
            inputs,
            rowBytes,
            isRectified ? 0 : Number.NEGATIVE_INFINITY,
          );
      onLayer();
      await new Promise(setImmediate);
    }
  }

  /** Returns the place of a pixel's first number. */
  function placeOf({ address, width, stride }: Plane, x: number, y: number): number {
    return address / NUMBER_BYTES + ((y + 1) * (width + 2) + x + 1) * stride;
  }

  function clear(plane: Plane): void {
    const start = plane.address / NUMBER_BYTES;
    numbers.fill(0, start, start + (plane.width + 2) * (plane.height + 2) * plane.stride);
  }

  function setColours(plane: Plane, pixels: Float32Array): void {
    forEachPixel(plane, (place, pixel) => numbers.set(pixels.subarray(pixel * 3, pixel * 3 + 3), place));
  }

  function coloursOf(plane: Plane): Float32Array {
    const pixels = new Float32Array(plane.width * plane.height * 3);
    forEachPixel(plane, (place, pixel) => pixels.set(numbers.subarray(place, place + 3), pixel * 3));
    return pixels;
  }

  function features(plane: Plane): Float32Array {
    const copy = new Float32Array(plane.width * plane.height * FEATURES);
    forEachPixel(plane, (place, pixel) => copy.set(numbers.subarray(place, place + FEATURES), pixel * FEATURES));
    return copy;
  }

  /** Multiplies a plane's features and adds others. */
  function addShare(plane: Plane, share: number, added: Float32Array): void {
    forEachPixel(plane, (place, pixel) => {
      for (let n = 0; n < FEATURES; n++)
        numbers[place + n] = (numbers[place + n] as number) * share + (added[pixel * FEATURES + n] as number);
    });
  }

  /** Makes the 48 numbers of each pixel 16 pixels of three colours. */
  function shuffle(from: Plane, to: Plane): void {
    for (let y = 0; y < from.height; y++)
      for (let x = 0; x < from.width; x++)
        for (let row = 0; row < NETWORK_FACTOR; row++) {
          const place = placeOf(from, x, y) + row * NETWORK_FACTOR * 3;
          const target = placeOf(to, x * NETWORK_FACTOR, y * NETWORK_FACTOR + row);
          for (let n = 0; n < NETWORK_FACTOR; n++)
            for (let colour = 0; colour < 3; colour++)
              numbers[target + n * COLOURS + colour] = numbers[place + n * 3 + colour] as number;
        }
  }

  function forEachPixel(plane: Plane, visit: (place: number, pixel: number) => void): void {
    for (let y = 0; y < plane.height; y++)
      for (let x = 0; x < plane.width; x++) visit(placeOf(plane, x, y), y * plane.width + x);
  }
}
