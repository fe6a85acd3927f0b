import { Type } from 'typebox';
import { closedObject, type Wire } from '../parts.ts';

/** The formulas of the price unit `formula`: how many tokens a vendor meters for a request. */

const Factor = Type.Integer({ minimum: 1, maximum: 1024 });
const Side = Type.Integer({ minimum: 1, maximum: 16_384 });
const Each = Type.Integer({ minimum: 1, maximum: 1_000_000 });

/** A named formula with its parameters, as an entry of the catalog declares it. */
export const PriceFormulaSchema = Type.Union([
  closedObject(
    { name: Type.Literal('openai_image_tokens'), factor: Factor },
    { description: 'output tokens of a GPT Image model; `factor` is that of the quality' },
  ),
  closedObject(
    { name: Type.Literal('prompt_tokens'), bytes: Factor },
    { description: 'tokens of the prompt: one for each `bytes` bytes of its UTF-8, rounded up' },
  ),
  closedObject(
    { name: Type.Literal('input_image_tokens'), each: Each },
    { description: 'tokens of the images sent, without masks: `each` for one' },
  ),
  closedObject(
    { name: Type.Literal('output_image_tokens'), each: Each },
    { description: 'output tokens of an image: `each`, whatever its ratio' },
  ),
  closedObject(
    {
      name: Type.Literal('video_tokens'),
      seconds: Type.Enum(['output_second', 'input_plus_output_second']),
      width: Side,
      height: Side,
      fps: Type.Integer({ minimum: 1, maximum: 240 }),
    },
    {
      description:
        'tokens of videos: `seconds` (a price unit) × width × height × fps ÷ 1024, with the sides of the tier',
    },
  ),
]);
export type PriceFormula = Wire<typeof PriceFormulaSchema>;

/** Kinds of tokens that vendors count and bill, each at its own price. */
export const TOKEN_KINDS = ['prompt', 'input_image', 'output_image', 'output_text', 'video'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** The kind of the tokens that a formula counts. */
export const KIND_OF_FORMULA: Readonly<Record<PriceFormula['name'], TokenKind>> = {
  openai_image_tokens: 'output_image',
  prompt_tokens: 'prompt',
  input_image_tokens: 'input_image',
  output_image_tokens: 'output_image',
  video_tokens: 'video',
};

/** The facts of an order that a price formula may read. */
export interface FormulaFacts {
  /** Width of the output, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Empty if the request has none. */
  readonly prompt: string;
  /** Images sent, without masks. */
  readonly images: number;
  /** Seconds of the videos that count; 0 for an image. */
  readonly seconds: number;
}

/** The number of tokens of a request. */
export interface CountedTokens {
  readonly tokens: number;
  /** Returns the calculation with the request's own numbers, which a line of a price shows. */
  readonly calculation: () => string;
}

const encoder = new TextEncoder();

/**
 * Counts the tokens of a request. The same request has the same number whatever an upstream reports.
 *
 * - `openai_image_tokens`, 1536x1024 at factor 48: ⌈48 × 32 × (2,000,000 + 1,572,864) ÷ 4,000,000⌉ = 1,372
 * - `prompt_tokens`, `a red fox` at 4 bytes: ⌈9 ÷ 4⌉ = 3
 * - `input_image_tokens`, two images at 1,536: 2 × 1,536 = 3,072
 * - `output_image_tokens`, 1,680 each: 1,680
 * - `video_tokens`, 5 s at 1280x720 and 24 fps: 5 × 1280 × 720 × 24 ÷ 1024 = 108,000
 */
export function countTokens(formula: PriceFormula, facts: FormulaFacts): CountedTokens {
  switch (formula.name) {
    case 'openai_image_tokens':
      return openaiImageTokens(formula.factor, facts);
    case 'prompt_tokens': {
      const { length } = encoder.encode(facts.prompt);
      return { tokens: Math.ceil(length / formula.bytes), calculation: () => `⌈${length} bytes ÷ ${formula.bytes}⌉` };
    }
    case 'input_image_tokens':
      return { tokens: facts.images * formula.each, calculation: () => `${facts.images} × ${formula.each}` };
    case 'output_image_tokens':
      return { tokens: formula.each, calculation: () => `1 × ${formula.each}` };
    case 'video_tokens': {
      const { width, height, fps } = formula;
      return {
        tokens: (facts.seconds * width * height * fps) / 1024,
        calculation: () => `${Number(facts.seconds.toFixed(3))} s × ${width} × ${height} × ${fps} ÷ 1024`,
      };
    }
  }
}

/**
 * Counts the output tokens of a GPT Image model as the vendor's calculator does: the longer side has `factor` units and
 * the shorter its part of them, rounded half up. Their product grows by half a unit for each 2,000,000 pixels.
 *
 * | size | factor | tokens |
 * |---|---|---|
 * | 1024x1024 | 48 | ⌈48 × 48 × 3,048,576 ÷ 4,000,000⌉ = 1,756 |
 * | 1536x1024 | 48 | ⌈48 × 32 × 3,572,864 ÷ 4,000,000⌉ = 1,372 |
 * | 3840x2160 | 96 | ⌈96 × 54 × 10,294,400 ÷ 4,000,000⌉ = 13,342 |
 */
function openaiImageTokens(factor: number, { width, height }: FormulaFacts): CountedTokens {
  const [short, long] = width < height ? [width, height] : [height, width];
  // Whole numbers, so that no quotient just below or above a half is rounded the wrong way.
  const units = Math.floor((2 * factor * short + long) / (2 * long));
  return {
    tokens: Math.ceil((factor * units * (2_000_000 + width * height)) / 4_000_000),
    calculation: () =>
      `⌈${factor} × round(${factor} × ${short} ÷ ${long}) × (2000000 + ${width} × ${height}) ÷ 4000000⌉`,
  };
}
