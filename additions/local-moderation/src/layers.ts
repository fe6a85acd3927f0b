/** Values with their shape. Of pictures: one, rows, columns, channels. Of weights: rows, columns, inputs, outputs. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export interface Convolution {
  readonly weights: Tensor;
  /** The bias of each output. */
  readonly bias: Tensor;
  /** Pixels of the picture from one result to the next. */
  readonly stride: number;
  /** Whether each channel is convolved by itself; otherwise every output sums all inputs. */
  readonly isEachChannel: boolean;
}

/** Convolves a picture with padding, so that the result has its size divided by the stride. */
export function convolve(picture: Tensor, { weights, bias, stride, isEachChannel }: Convolution): Tensor {
  const [, givenRows = 1, givenColumns = 1, channels = 1] = picture.shape;
  const [side = 1] = weights.shape;
  const outputs = bias.values.length;
  const rows = Math.ceil(givenRows / stride);
  const columns = Math.ceil(givenColumns / stride);
  const values = new Float32Array(rows * columns * outputs);
  const above = padding(givenRows, rows, side, stride);
  const left = padding(givenColumns, columns, side, stride);
  const add = isEachChannel ? addEach : addAll;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const into = values.subarray((row * columns + column) * outputs).subarray(0, outputs);
      into.set(bias.values);
      for (let y = 0; y < side; y++) {
        const fromRow = row * stride - above + y;
        if (fromRow < 0 || fromRow >= givenRows) continue;
        for (let x = 0; x < side; x++) {
          const fromColumn = column * stride - left + x;
          if (fromColumn < 0 || fromColumn >= givenColumns) continue;
          const from = (fromRow * givenColumns + fromColumn) * channels;
          const kernel = (y * side + x) * channels * (isEachChannel ? 1 : outputs);
          add(into, picture.values, from, channels, weights.values, kernel);
        }
      }
    }
  return { shape: [1, rows, columns, outputs], values };
}

/** Pixels of padding before the first: of what is missing, the smaller half. */
function padding(given: number, made: number, side: number, stride: number): number {
  return Math.max(0, (made - 1) * stride + side - given) >> 1;
}

/** Adds the weighted inputs of one pixel of the kernel to all outputs of a result. */
type AddPixel = (
  into: Float32Array,
  values: Float32Array,
  from: number,
  channels: number,
  weights: Float32Array,
  kernel: number,
) => void;

/** Adds four inputs at a time, so that each output is read and written once for them. */
const addAll: AddPixel = (into, values, from, channels, weights, kernel) => {
  const outputs = into.length;
  let input = 0;
  for (; input + 4 <= channels; input += 4) {
    const a = values[from + input] as number;
    const b = values[from + input + 1] as number;
    const c = values[from + input + 2] as number;
    const d = values[from + input + 3] as number;
    // Many values are zero, since layers cut negative ones off.
    if (a === 0 && b === 0 && c === 0 && d === 0) continue;
    let weight = kernel + input * outputs;
    for (let output = 0; output < outputs; output++, weight++)
      into[output] =
        (into[output] as number) +
        a * (weights[weight] as number) +
        b * (weights[weight + outputs] as number) +
        c * (weights[weight + 2 * outputs] as number) +
        d * (weights[weight + 3 * outputs] as number);
  }
  for (; input < channels; input++) {
    const value = values[from + input] as number;
    const first = kernel + input * outputs;
    for (let output = 0; output < outputs; output++)
      into[output] = (into[output] as number) + value * (weights[first + output] as number);
  }
};

const addEach: AddPixel = (into, values, from, channels, weights, kernel) => {
  for (let channel = 0; channel < channels; channel++)
    into[channel] =
      (into[channel] as number) + (values[from + channel] as number) * (weights[kernel + channel] as number);
};

/** Averages each channel over all pixels. */
export function averagePixels({ shape, values }: Tensor): Tensor {
  const channels = shape.at(-1) ?? 1;
  const pixels = values.length / channels;
  const averages = new Float32Array(channels);
  for (let index = 0; index < values.length; index++) averages[index % channels]! += (values[index] as number) / pixels;
  return { shape: [1, 1, 1, channels], values: averages };
}

/** Combines values one by one with others, or with a single one. */
export function combine(one: Tensor, other: Tensor, how: (a: number, b: number) => number): Tensor {
  const { shape } = one.values.length >= other.values.length ? one : other;
  const count = Math.max(one.values.length, other.values.length);
  const at = ({ values }: Tensor, index: number) => values[values.length === 1 ? 0 : index] as number;
  return { shape, values: Float32Array.from({ length: count }, (_, index) => how(at(one, index), at(other, index))) };
}

/** Limits values to the range from 0 to 6. */
export function limit(values: Float32Array): Float32Array {
  return values.map((value) => Math.min(6, Math.max(0, value)));
}

/** Turns values into probabilities whose sum is 1. */
export function softmax(values: Float32Array): Float32Array {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
