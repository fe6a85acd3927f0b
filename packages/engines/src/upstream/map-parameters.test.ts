import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { RouteMap } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { mapParameters, UnsupportedValue } from './map-parameters.ts';

const DERIVED = { mode: 'image_to_video', width: 1024, height: 576, output_seconds: 5 };

function map(parameters: RouteMap, values: JsonObject, fixed: JsonObject = {}): JsonObject {
  return mapParameters({ values, derived: DERIVED }, { parameters, fixed });
}

describe('a map of parameters', () => {
  it('renames, nests, and sends nothing that is not mapped or not there', () => {
    const parameters = { prompt: 'input.text', seed: 'input.seed', style: 'input.style' };
    assert.deepEqual(map(parameters, { prompt: 'a fox', seed: null, style: 'ink', steps: 9 }), {
      input: { text: 'a fox', style: 'ink' },
    });
  });

  it("sets fixed values first; the order's values override them", () => {
    const fixed = { 'input.n': 1, 'input.size': 'small' };
    assert.deepEqual(map({ size: 'input.size' }, { size: 'large' }, fixed), { input: { n: 1, size: 'large' } });
    assert.deepEqual(map({ size: 'input.size' }, { size: null }, fixed), { input: { n: 1, size: 'small' } });
  });

  it('keeps false and zero, which are values', () => {
    assert.deepEqual(map({ audio: 'audio', strength: 'strength' }, { audio: false, strength: 0 }), {
      audio: false,
      strength: 0,
    });
  });

  it('converts numbers to texts, texts to numbers, seconds to frames', () => {
    const values = { duration: 5, steps: '20', speed: 2.6 };
    const parameters: RouteMap = {
      duration: [
        { to: 'duration', as: 'string', suffix: 's' },
        { to: 'frames', times: 24, plus: 1 },
      ],
      steps: { to: 'steps', as: 'number' },
      speed: { to: 'speed', as: 'integer' },
    };
    assert.deepEqual(map(parameters, values), { duration: '5s', frames: 121, steps: 20, speed: 3 });
  });

  it('renames values by table, leaves out where the table says so, and refuses values that it does not list', () => {
    const parameters: RouteMap = { resolution: { to: 'size', values: { '1K': '1024*1024', auto: null } } };
    assert.deepEqual(map(parameters, { resolution: '1K' }), { size: '1024*1024' });
    assert.deepEqual(map(parameters, { resolution: 'auto' }), {});
    assert.throws(() => map(parameters, { resolution: '4K' }), UnsupportedValue);
    const lenient: RouteMap = { ratio: { to: 'ratio', values: { auto: null }, otherwise: 'same' } };
    assert.deepEqual(map(lenient, { ratio: '16:9' }), { ratio: '16:9' });
  });

  it('looks up tables over two fields, and sends derived values', () => {
    const parameters: RouteMap = {
      size: { to: 'size', text: '{resolution} {ratio}', values: { '1K 1:1': 'square_hd' } },
      pixels: { to: 'pixels', text: '{width}x{height}' },
      width: 'image_size.width',
      height: 'image_size.height',
    };
    assert.deepEqual(map(parameters, { resolution: '1K', ratio: '1:1' }), {
      size: 'square_hd',
      pixels: '1024x576',
      image_size: { width: 1024, height: 576 },
    });
    assert.equal(map(parameters, { resolution: '1K', ratio: null }).size, undefined);
  });

  it('sends the items of a list as separate fields', () => {
    const parameters: RouteMap = {
      image_urls: [
        { to: 'image_url', take: 'first' },
        { to: 'tail_image_url', take: 1 },
        { to: 'others', take: 'rest' },
        { to: 'end', take: 'last' },
      ],
    };
    assert.deepEqual(map(parameters, { image_urls: ['a', 'b', 'c'] }), {
      image_url: 'a',
      tail_image_url: 'b',
      others: ['b', 'c'],
      end: 'c',
    });
    assert.deepEqual(map(parameters, { image_urls: ['a'] }), { image_url: 'a', end: 'a' });
    assert.deepEqual(map(parameters, { image_urls: [] }), {});
  });

  it('gathers parts in one list, in the order of the map, each in its shape', () => {
    const parameters: RouteMap = {
      prompt: { to: 'content[]', shape: { type: 'text', text: '$' } },
      image_urls: { to: 'content[]', shape: { type: 'image_url', image_url: { url: '$' } } },
    };
    assert.deepEqual(map(parameters, { image_urls: ['a', 'b'], prompt: 'a fox' }), {
      content: [
        { type: 'text', text: 'a fox' },
        { type: 'image_url', image_url: { url: 'a' } },
        { type: 'image_url', image_url: { url: 'b' } },
      ],
    });
  });

  it('respects conditions, also over derived values, and sends constants by them', () => {
    const parameters: RouteMap = {
      pro: { to: 'mode', text: 'pro', when: { resolution: '1080p' } },
      std: { to: 'mode', text: 'std', when: { resolution: '720p' } },
      prompt: [
        { to: 'motion', when: { mode: 'image_to_video' } },
        { to: 'scene', when: { mode: 'text_to_video' } },
      ],
    };
    assert.deepEqual(map(parameters, { resolution: '720p', prompt: 'it turns' }), { mode: 'std', motion: 'it turns' });
  });

  it('maps the fields of objects in lists, and refuses unmapped ones', () => {
    const parameters: RouteMap = {
      shots: { to: 'multi_prompt', items: { prompt: 'prompt', duration: { to: 'duration', as: 'string' } } },
    };
    assert.deepEqual(
      map(parameters, {
        shots: [
          { prompt: 'a', duration: 2 },
          { prompt: 'b', duration: null },
        ],
      }),
      {
        multi_prompt: [{ prompt: 'a', duration: '2' }, { prompt: 'b' }],
      },
    );
    assert.throws(() => map(parameters, { shots: [{ prompt: 'a', camera: 'left' }] }), UnsupportedValue);
  });

  it('sends list items as the fields that the map names', () => {
    const items = { 0: 'r', 1: 'g', 2: 'b' };
    const parameters: RouteMap = { colors: { to: 'colors', items }, ground: { to: 'ground', items } };
    const colors = [
      [255, 0, 0],
      [0, 0, 16],
    ];
    assert.deepEqual(map(parameters, { colors, ground: [1, 2, 3] }), {
      colors: [
        { r: 255, g: 0, b: 0 },
        { r: 0, g: 0, b: 16 },
      ],
      ground: { r: 1, g: 2, b: 3 },
    });
    assert.throws(() => map(parameters, { ground: [1, 2, 3, 4] }), UnsupportedValue);
  });

  it('sends another field with each item, unless it was not sent', () => {
    const parameters: RouteMap = { image_urls: { to: 'styles', shape: { image_url: '$', strength: '$strength' } } };
    assert.deepEqual(map(parameters, { image_urls: ['a', 'b'], strength: 0.5 }), {
      styles: [
        { image_url: 'a', strength: 0.5 },
        { image_url: 'b', strength: 0.5 },
      ],
    });
    assert.deepEqual(map(parameters, { image_urls: ['a'], strength: null }), { styles: [{ image_url: 'a' }] });
    assert.deepEqual(map(parameters, { image_urls: null, strength: 1 }), {});
  });

  it('sends a default if the upstream needs a value', () => {
    assert.deepEqual(map({ seed: { to: 'seed', unsent: -1 } }, { seed: null }), { seed: -1 });
  });

  it('never sends null, nor a field that is not mapped, whatever is ordered', () => {
    const field = fc.constantFrom('prompt', 'seed', 'style', 'image_urls', 'shots');
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
    const rule = fc.record(
      {
        to: fc.constantFrom('a', 'b.c', 'd[]', 'e.f[]'),
        take: fc.constantFrom('first', 'last', 'rest', 1),
        as: fc.constantFrom('string', 'number', 'integer', 'boolean'),
        suffix: fc.constant('s'),
        shape: fc.constantFrom<JsonValue>({ url: '$' }, ['$'], '$'),
      },
      { requiredKeys: ['to'] },
    );
    fc.assert(
      fc.property(fc.dictionary(field, rule), fc.dictionary(field, value), (parameters, values) => {
        let input: JsonObject = {};
        try {
          input = JSON.parse(JSON.stringify(map(parameters as RouteMap, values as JsonObject)));
        } catch (error) {
          assert.ok(error instanceof UnsupportedValue);
        }
        const places = new Set(Object.values(parameters).map(({ to }) => to.split(/[.[]/)[0]));
        assert.deepEqual(
          Object.keys(input).filter((key) => !places.has(key)),
          [],
        );
        const holdsNull = (part: JsonValue): boolean =>
          part === null || (typeof part === 'object' && Object.values(part).some(holdsNull));
        assert.equal(holdsNull(input), false);
      }),
    );
  });
});
