import { createRequire } from 'node:module';
import { join } from 'node:path';
import { averagePixels, combine, convolve, limit, softmax, type Tensor } from './layers.ts';

/** Contents of pictures that the network tells apart, in the order of its output. */
export const CONTENTS = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;
export type Content = (typeof CONTENTS)[number];

/** Probability of each content, from 0 to 1; together they are 1. */
export type Likelihoods = Readonly<Record<Content, number>>;

/** Width and height of the pictures that the network takes, in pixels. */
export const SIDE = 224;

/** A node of the graph, as TensorFlow.js stores it. Names of operations are TensorFlow's. */
interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr: {
    readonly strides?: { readonly list: { readonly i: readonly string[] } };
    readonly fused_ops?: { readonly list: { readonly s?: readonly string[] } };
  };
}

/** The file that describes the network. Its weights are bytes, from `min` in steps of `scale`. */
interface GraphFile {
  readonly modelTopology: { readonly node: readonly GraphNode[] };
  readonly weightsManifest: readonly {
    readonly paths: readonly string[];
    readonly weights: readonly {
      readonly name: string;
      readonly shape: readonly number[];
      readonly quantization: { readonly min: number; readonly scale: number };
    }[];
  }[];
}

/** Judges a picture of `SIDE` by `SIDE` pixels in RGB, one byte a channel. */
export type Network = (pixels: Uint8Array) => Likelihoods;

/** Reads the network of a folder of `findNetwork`. */
export function readNetwork(folder: string): Network {
  const require = createRequire(join(folder, 'model.min.js'));
  const { modelTopology, weightsManifest } = require('./model.min.js') as GraphFile;
  const constants = new Map<string, Tensor>();
  for (const { paths, weights } of weightsManifest) {
    const bytes = Buffer.concat(paths.map((path) => Buffer.from(require(`./${path}.min.js`) as string, 'base64')));
    let offset = 0;
    for (const { name, shape, quantization } of weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      const { min, scale } = quantization;
      const values = Float32Array.from(bytes.subarray(offset, offset + length), (step) => step * scale + min);
      constants.set(name, { shape, values });
      offset += length;
    }
  }
  return (pixels) => {
    const values = Float32Array.from(pixels, (value) => value / 255);
    const found = compute(modelTopology.node, constants, { shape: [1, SIDE, SIDE, 3], values });
    return Object.fromEntries(CONTENTS.map((content, index) => [content, found[index] ?? 0])) as Record<
      Content,
      number
    >;
  };
}

/** Computes the nodes, which stand in the order of their dependencies. Returns the values of the last one. */
function compute(nodes: readonly GraphNode[], constants: ReadonlyMap<string, Tensor>, picture: Tensor): Float32Array {
  const made = new Map(constants);
  let last = picture;
  for (const { name, op, input = [], attr } of nodes) {
    if (op === 'Const') continue;
    const given = input.map((one) => made.get(one) ?? picture);
    const tensor = op === 'Placeholder' ? picture : apply(op, attr, given);
    const isLimited = attr.fused_ops?.list.s?.some((word) => atob(word) === 'Relu6') === true;
    last = isLimited ? { ...tensor, values: limit(tensor.values) } : tensor;
    made.set(name, last);
  }
  return last.values;
}

function apply(op: string, { strides }: GraphNode['attr'], given: readonly Tensor[]): Tensor {
  const [first, second, bias] = given as [Tensor, Tensor, Tensor];
  switch (op) {
    case 'Mul':
      return combine(first, second, (one, other) => one * other);
    case 'Sub':
      return combine(first, second, (one, other) => one - other);
    case 'AddV2':
      return combine(first, second, (one, other) => one + other);
    case '_FusedConv2D':
    case 'FusedDepthwiseConv2dNative': {
      const stride = Number(strides?.list.i[1] ?? 1);
      return convolve(first, { weights: second, bias, stride, isEachChannel: op === 'FusedDepthwiseConv2dNative' });
    }
    case '_FusedMatMul': {
      const weights = { ...second, shape: [1, 1, ...second.shape] };
      return convolve(first, { weights, bias, stride: 1, isEachChannel: false });
    }
    case 'AvgPool':
      return averagePixels(first);
    case 'Softmax':
      return { ...first, values: softmax(first.values) };
    case 'Squeeze':
    case 'Identity':
      return first;
    default:
      throw new Error(`the network has an operation that is unknown here: ${op}`);
  }
}
