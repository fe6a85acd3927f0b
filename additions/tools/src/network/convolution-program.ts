import { type ProgramMemory, webAssembly } from './web-assembly.ts';

/**
 * Writes the WebAssembly program of the network's one costly operation: a 3×3 convolution over one row of pixels. It
 * works on six pixels and eight output channels at once, so that all sums stay in vector registers.
 */

/** Pixels of one step. A row has at least as many. */
export const PIXELS_AT_ONCE = 6;
/** Output channels of one call. */
export const CHANNELS_AT_ONCE = 8;
/** Input channels are padded to a multiple of this number: the inner loop is unrolled by it. */
export const CHANNEL_STEP = 4;

/** Bytes from one pixel to the next, of the input and of the output. */
export interface Strides {
  readonly input: number;
  readonly output: number;
}

/**
 * Convolves one row.
 * @param input address of the pixel one row above and one column left of the first one
 * @param weights address of the weights: row, column, input channel, eight output channels
 * @param bias address of eight numbers
 * @param output address of the first pixel's first channel
 * @param width pixels of the row, at least `PIXELS_AT_ONCE`
 * @param channels input channels, a multiple of `CHANNEL_STEP`
 * @param rowBytes bytes from one input row to the next
 * @param least the least value of a result: 0 for a rectified convolution, else minus infinity
 */
export type ConvolveRow = (
  input: number,
  weights: number,
  bias: number,
  output: number,
  width: number,
  channels: number,
  rowBytes: number,
  least: number,
) => void;

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
const MULTIPLY_ADD_FUSED = [0xfd, ...unsigned(0x105)];
const MULTIPLY_ADD = [0xfd, ...unsigned(0xe6), 0xfd, ...unsigned(0xe4)];

/** Parameters and variables of the function, by their places. */
const VARIABLE = { input: 0, weights: 1, bias: 2, output: 3, width: 4, channels: 5, rowBytes: 6, least: 7 } as const;
const X = 8;
const POINTER = 9;
const WEIGHT = 10;
const ROW = 11;
const COLUMN = 12;
const CHANNEL = 13;
const FIRST_WEIGHTS = 14;
const PIXEL = 16;
const FIRST_SUM = 17;
const VECTOR_BYTES = 16;

/**
 * Compiles the program with one function for each pair of strides.
 * @param memory holds the pixels and the weights
 */
export function compileConvolution(memory: ProgramMemory, strides: readonly Strides[]): readonly ConvolveRow[] {
  const fused = writeConvolutions(strides, true);
  // Fused multiplication is younger than vectors, and needs 40 % less time.
  const bytes = webAssembly.validate(fused) ? fused : writeConvolutions(strides, false);
  const { exports } = new webAssembly.Instance(new webAssembly.Module(bytes), { env: { memory } });
  return strides.map((_, index) => exports[`convolve${index}`] as ConvolveRow);
}

/** Writes the program's bytes. */
export function writeConvolutions(strides: readonly Strides[], isFused: boolean): Uint8Array {
  const multiplyAdd = isFused ? MULTIPLY_ADD_FUSED : MULTIPLY_ADD;
  const parameters = [I32, I32, I32, I32, I32, I32, I32, F32];
  const functions = strides.map((each) => sized(writeFunction(each, multiplyAdd)));
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...list(parameters), 0]),
    ...section(2, [1, ...text('env'), ...text('memory'), 2, 0, 1]),
    ...section(3, list(strides.map(() => 0))),
    ...section(7, [
      ...unsigned(strides.length),
      ...strides.flatMap((_, index) => [...text(`convolve${index}`), 0, index]),
    ]),
    ...section(10, [...unsigned(functions.length), ...functions.flat()]),
  ]);
}

function writeFunction(strides: Strides, multiplyAdd: readonly number[]): readonly number[] {
  const sums = Array.from({ length: PIXELS_AT_ONCE * 2 }, (_, index) => FIRST_SUM + index);
  const variables = [...unsigned(2), 6, I32, 2 + 1 + sums.length, V128];
  return [
    ...variables,
    ...constant(0),
    ...set(X),
    ...loop([
      ...sums.flatMap((sum, index) => [...get(VARIABLE.bias), ...load((index % 2) * VECTOR_BYTES), ...set(sum)]),
      ...[...get(VARIABLE.input), ...get(X), ...constant(strides.input), ...MULTIPLY, ...ADD, ...set(POINTER)],
      ...[...get(VARIABLE.weights), ...set(WEIGHT)],
      ...count(ROW, [
        ...count(COLUMN, [
          ...[...get(VARIABLE.channels), ...set(CHANNEL)],
          ...loop([
            ...Array.from({ length: CHANNEL_STEP }, (_, step) => addChannel(step, strides, sums, multiplyAdd)).flat(),
            ...advance(POINTER, CHANNEL_STEP * 4),
            ...advance(WEIGHT, CHANNEL_STEP * CHANNELS_AT_ONCE * 4),
            ...[...get(CHANNEL), ...constant(CHANNEL_STEP), ...SUBTRACT, ...tee(CHANNEL), ...REPEAT_IF],
          ]),
          // From behind the last channel to the next pixel.
          ...[...get(POINTER), ...constant(strides.input), ...ADD],
          ...[...get(VARIABLE.channels), ...constant(4), ...MULTIPLY, ...SUBTRACT, ...set(POINTER)],
        ]),
        ...[...get(POINTER), ...get(VARIABLE.rowBytes), ...ADD],
        ...[...constant(3 * strides.input), ...SUBTRACT, ...set(POINTER)],
      ]),
      ...[...get(VARIABLE.output), ...get(X), ...constant(strides.output), ...MULTIPLY, ...ADD, ...set(POINTER)],
      ...sums.flatMap((sum, index) => [
        ...get(POINTER),
        ...[...get(sum), ...get(VARIABLE.least), ...SPLAT, ...GREATER],
        ...store(Math.floor(index / 2) * strides.output + (index % 2) * VECTOR_BYTES),
      ]),
      // The last step ends with the row: it may repeat pixels of the step before.
      ...[...get(X), ...constant(PIXELS_AT_ONCE), ...ADD, ...set(X)],
      ...[...get(X), ...get(VARIABLE.width), ...LESS],
      ...[0x04, 0x40],
      ...[...get(VARIABLE.width), ...constant(PIXELS_AT_ONCE), ...SUBTRACT, ...get(X)],
      ...[...get(VARIABLE.width), ...constant(PIXELS_AT_ONCE), ...SUBTRACT, ...get(X), ...LESS, 0x1b, ...set(X)],
      ...[0x0c, 1, 0x0b],
    ]),
    0x0b,
  ];
}

/** Adds one input channel's products to all sums. */
function addChannel(
  step: number,
  strides: Strides,
  sums: readonly number[],
  multiplyAdd: readonly number[],
): readonly number[] {
  const weights = [0, 1].flatMap((half) => [
    ...get(WEIGHT),
    ...load(step * CHANNELS_AT_ONCE * 4 + half * VECTOR_BYTES),
    ...set(FIRST_WEIGHTS + half),
  ]);
  const pixels = Array.from({ length: PIXELS_AT_ONCE }, (_, pixel) => [
    ...[...get(POINTER), 0xfd, ...unsigned(0x09), 2, ...unsigned(pixel * strides.input + step * 4), ...set(PIXEL)],
    ...[0, 1].flatMap((half) => addProduct(sums[pixel * 2 + half] ?? 0, FIRST_WEIGHTS + half, multiplyAdd)),
  ]);
  return [...weights, ...pixels.flat()];
}

function addProduct(sum: number, weights: number, multiplyAdd: readonly number[]): readonly number[] {
  const operands =
    multiplyAdd === MULTIPLY_ADD
      ? [...get(sum), ...get(PIXEL), ...get(weights)]
      : [...get(PIXEL), ...get(weights), ...get(sum)];
  return [...operands, ...multiplyAdd, ...set(sum)];
}

const MULTIPLY = [0x6c];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const LESS = [0x48];
const REPEAT_IF = [0x0d, 0];
const SPLAT = [0xfd, ...unsigned(0x13)];
const GREATER = [0xfd, ...unsigned(0xe9)];

function get(variable: number): number[] {
  return [0x20, variable];
}

function set(variable: number): number[] {
  return [0x21, variable];
}

function tee(variable: number): number[] {
  return [0x22, variable];
}

function advance(variable: number, bytes: number): number[] {
  return [...get(variable), ...constant(bytes), ...ADD, ...set(variable)];
}

function load(offset: number): number[] {
  return [0xfd, ...unsigned(0x00), 2, ...unsigned(offset)];
}

function store(offset: number): number[] {
  return [0xfd, ...unsigned(0x0b), 2, ...unsigned(offset)];
}

function loop(body: readonly number[]): number[] {
  return [0x03, 0x40, ...body, 0x0b];
}

/** Repeats a body three times. */
function count(variable: number, body: readonly number[]): number[] {
  const next = [...get(variable), ...constant(1), ...SUBTRACT, ...tee(variable), ...REPEAT_IF];
  return [...constant(3), ...set(variable), ...loop([...body, ...next])];
}

function constant(value: number): number[] {
  const bytes: number[] = [0x41];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

function list(values: readonly number[]): number[] {
  return [...unsigned(values.length), ...values];
}

function sized(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...sized(bytes)];
}

function text(value: string): number[] {
  return list([...Buffer.from(value)]);
}
