import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHANNEL_STEP, CHANNELS_AT_ONCE } from './convolution-program.ts';

/** The weights of one convolution, in the order in which the program reads them. */
export interface Layer {
  /** Input channels, padded with zeros to a multiple of `CHANNEL_STEP`. */
  readonly inputs: number;
  /** Output channels, padded to a multiple of `CHANNELS_AT_ONCE`. */
  readonly outputs: number;
  /** For each eight output channels: row, column, input channel, output channel. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

interface Manifest {
  readonly weightsManifest: readonly {
    readonly paths: readonly string[];
    readonly weights: readonly { readonly name: string; readonly shape: readonly number[] }[];
  }[];
}

/** Reads the layers of a TensorFlow.js model, by name. All are 3×3 convolutions with a bias. */
export async function readWeights(folder: string): Promise<ReadonlyMap<string, Layer>> {
  const manifest = JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')) as Manifest;
  const tensors = new Map<string, { readonly shape: readonly number[]; readonly values: Float32Array }>();
  for (const { paths, weights } of manifest.weightsManifest) {
    const bytes = Buffer.concat(await Promise.all(paths.map((path) => readFile(join(folder, path)))));
    let offset = 0;
    for (const { name, shape } of weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      const values = new Float32Array(bytes.buffer, bytes.byteOffset + offset, length);
      tensors.set(name, { shape, values });
      offset += values.byteLength;
    }
  }
  const layers = new Map<string, Layer>();
  for (const [name, { shape, values }] of tensors) {
    const [layer = '', part] = name.split('/');
    const bias = tensors.get(`${layer}/bias`);
    if (part === 'kernel' && bias !== undefined) layers.set(layer, arrange(shape, values, bias.values));
  }
  return layers;
}

function arrange(shape: readonly number[], values: Float32Array, bias: Float32Array): Layer {
  const [rows = 0, columns = 0, given = 0, made = 0] = shape;
  const inputs = Math.ceil(given / CHANNEL_STEP) * CHANNEL_STEP;
  const outputs = Math.ceil(made / CHANNELS_AT_ONCE) * CHANNELS_AT_ONCE;
  const cells = rows * columns;
  const weights = new Float32Array(cells * inputs * outputs);
  for (let cell = 0; cell < cells; cell++)
    for (let input = 0; input < given; input++)
      for (let output = 0; output < made; output++) {
        const group = Math.floor(output / CHANNELS_AT_ONCE);
        const place = ((group * cells + cell) * inputs + input) * CHANNELS_AT_ONCE + (output % CHANNELS_AT_ONCE);
        weights[place] = values[(cell * given + input) * made + output] ?? 0;
      }
  const padded = new Float32Array(outputs);
  padded.set(bias);
  return { inputs, outputs, weights, bias: padded };
}
