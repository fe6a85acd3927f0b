import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type CountedTokens, countTokens } from './price-formula.ts';

const shown = ({ tokens, calculation }: CountedTokens) => ({ tokens, calculation: calculation() });

const facts = { width: 1024, height: 1024, prompt: '', images: 0, seconds: 0 };

describe('the output tokens of GPT Image', () => {
  // The first four are those of the vendor's own calculator; the last three those of its page about 2.6.
  const cases: readonly [string, number, number][] = [
    ['1024x1024', 96, 7024],
    ['1536x1024', 96, 5488],
    ['1792x1024', 96, 5063],
    ['3584x2048', 96, 12_329],
    ['1024x1024', 16, 196],
    ['1024x1024', 24, 439],
    ['1024x1024', 64, 3122],
  ];
  for (const [size, factor, tokens] of cases)
    test(`${size} at factor ${factor} are ${tokens}`, () => {
      const [width = 0, height = 0] = size.split('x').map(Number);
      const formula = { name: 'openai_image_tokens', factor } as const;
      assert.equal(countTokens(formula, { ...facts, width, height }).tokens, tokens);
      assert.equal(countTokens(formula, { ...facts, width: height, height: width }).tokens, tokens);
    });

  test('half a unit is rounded up, and the calculation has the numbers of the request', () => {
    const counted = countTokens({ name: 'openai_image_tokens', factor: 16 }, { ...facts, width: 1536, height: 1008 });
    assert.deepEqual(shown(counted), {
      tokens: Math.ceil((16 * 11 * (2_000_000 + 1536 * 1008)) / 4_000_000),
      calculation: '⌈16 × round(16 × 1008 ÷ 1536) × (2000000 + 1536 × 1008) ÷ 4000000⌉',
    });
  });

  test('are the same in whole numbers, and never fewer for more pixels of the same ratio or a higher factor', () => {
    const side = fc.integer({ min: 1, max: 240 });
    const factor = fc.integer({ min: 1, max: 96 });
    fc.assert(
      fc.property(side, side, factor, fc.integer({ min: 1, max: 8 }), fc.nat(8), (wide, high, least, scale, more) => {
        const tokens = (of: number, times: number) => {
          const size = { width: 16 * wide * times, height: 16 * high * times };
          const counted = countTokens({ name: 'openai_image_tokens', factor: of }, { ...facts, ...size }).tokens;
          assert.equal(counted, Number(inWholeNumbers(BigInt(of), BigInt(size.width), BigInt(size.height))));
          return counted;
        };
        assert.ok(tokens(least, scale) <= tokens(least, scale + more));
        assert.ok(tokens(least, scale) <= tokens(least + more, scale));
      }),
    );
  });
});

/** The formula as published, in whole numbers without limit. */
function inWholeNumbers(factor: bigint, width: bigint, height: bigint): bigint {
  const [short, long] = width < height ? [width, height] : [height, width];
  const units = (2n * factor * short + long) / (2n * long);
  return (factor * units * (2_000_000n + width * height) + 3_999_999n) / 4_000_000n;
}

test('prompt tokens count the bytes of UTF-8, and an absent prompt has none', () => {
  const tokens = (prompt: string) => countTokens({ name: 'prompt_tokens', bytes: 4 }, { ...facts, prompt }).tokens;
  assert.deepEqual(['', 'a', 'a red fox', '狐狸', '🦊🦊'].map(tokens), [0, 1, 3, 2, 2]);
});

test('input image tokens are the same number for each image', () => {
  const counted = countTokens({ name: 'input_image_tokens', each: 1536 }, { ...facts, images: 2 });
  assert.deepEqual(shown(counted), { tokens: 3072, calculation: '2 × 1536' });
});

test('an output image has its own number whatever its size', () => {
  const formula = { name: 'output_image_tokens', each: 1680 } as const;
  assert.deepEqual(shown(countTokens(formula, { ...facts, width: 2048 })), { tokens: 1680, calculation: '1 × 1680' });
});

test('video tokens are those of the sides and the frames that the formula names, for all seconds that count', () => {
  const formula = { name: 'video_tokens', seconds: 'output_second', width: 1280, height: 720, fps: 24 } as const;
  const counted = countTokens(formula, { ...facts, seconds: 5 });
  assert.deepEqual(shown(counted), { tokens: 108_000, calculation: '5 s × 1280 × 720 × 24 ÷ 1024' });
  assert.equal(countTokens(formula, { ...facts, seconds: 7.5 }).tokens, 162_000);
});
