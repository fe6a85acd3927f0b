import { Type } from 'typebox';
import { closedObject, type Wire } from '../parts.ts';

/** The formulas of the price unit `formula`: how many tokens a vendor meters for a request. */

const Factor = Type.Integer({ minimum: 1, maximum: 1024 });
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
]);
export type PriceFormula = Wire<typeof PriceFormulaSchema>;

/** What a formula may read. */
export interface FormulaFacts {
  /** Of the output, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Empty if the request has none. */
  readonly prompt: string;
  /** Images sent, without masks. */
  readonly images: number;
}

/** The number of tokens, and its calculation with the request's own numbers, which a line of a price shows. */
export interface CountedTokens {
  readonly tokens: number;
  readonly calculation: string;
}

/** The part of an order that each formula counts. `output` depends on the output's size. */
export const FORMULA_COUNTS: Readonly<Record<PriceFormula['name'], 'output' | 'prompt' | 'input_images'>> = {
  openai_image_tokens: 'output',
  prompt_tokens: 'prompt',
  input_image_tokens: 'input_images',
};

/**
 * Counts the tokens of a request. The same request has the same number whatever an upstream reports.
 *
 * - `openai_image_tokens`, 1536x1024 at factor 48: ⌈48 × 32 × (2,000,000 + 1,572,864) ÷ 4,000,000⌉ = 1,372
 * - `prompt_tokens`, `a red fox` at 4 bytes: ⌈9 ÷ 4⌉ = 3
 * - `input_image_tokens`, two images at 1,536: 2 × 1,536 = 3,072
 */
export function countTokens(formula: PriceFormula, facts: FormulaFacts): CountedTokens {
  switch (formula.name) {
    case 'openai_image_tokens':
      return openaiImageTokens(formula.factor, facts);
    case 'prompt_tokens': {
      const { length } = new TextEncoder().encode(facts.prompt);
      return { tokens: Math.ceil(length / formula.bytes), calculation: `⌈${length} bytes ÷ ${formula.bytes}⌉` };
    }
    case 'input_image_tokens':
      return { tokens: facts.images * formula.each, calculation: `${facts.images} × ${formula.each}` };
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
    calculation: `⌈${factor} × round(${factor} × ${short} ÷ ${long}) × (2000000 + ${width} × ${height}) ÷ 4000000⌉`,
  };
}
