import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planSize, tierArea } from './output-size.ts';

const image = { type: 'image', parameters: {} } as const;
const film = { type: 'video', parameters: {} } as const;

function sizeOf(
  model: Parameters<typeof planSize>[0],
  values: Parameters<typeof planSize>[1],
  first: Parameters<typeof planSize>[2] = null,
): string {
  const { width, height } = planSize(model, values, first);
  return `${width}x${height}`;
}

test('a film has the height that its tier is named after', () => {
  for (const [resolution, aspectRatio, expected] of [
    ['360p', '16:9', '640x360'],
    ['720p', '16:9', '1280x720'],
    ['1080p', '16:9', '1920x1080'],
    ['1080P', '9:16', '1080x1920'],
    ['1440p', '16:9', '2560x1440'],
    ['2160p', '16:9', '3840x2160'],
    ['4k', '16:9', '3840x2160'],
    ['720p', '1:1', '960x960'],
  ] as const) {
    assert.equal(sizeOf(film, { resolution, aspect_ratio: aspectRatio }), expected, `${resolution} ${aspectRatio}`);
  }
});

test('a picture has the area of its tier at the ratio, in steps of 16', () => {
  assert.equal(sizeOf(image, { resolution: '1K', aspect_ratio: '1:1' }), '1024x1024');
  assert.equal(sizeOf(image, { resolution: '4K', aspect_ratio: '1:1' }), '4096x4096');
  assert.equal(sizeOf(image, { resolution: '0.5K', aspect_ratio: '4:1' }), '1024x256');
  assert.equal(sizeOf(image, { resolution: '1K', aspect_ratio: '16:9' }), '1360x768');
});

test('rounding never makes a picture larger than its tier, nor a side uneven', () => {
  const side = fc.integer({ min: 1, max: 32 });
  fc.assert(
    fc.property(fc.constantFrom('0.5K', '1K', '2K', '4K'), side, side, (resolution, wide, high) => {
      fc.pre(Math.max(wide, high) / Math.min(wide, high) <= 8);
      const [width = 0, height = 0] = sizeOf(image, { resolution, aspect_ratio: `${wide}:${high}` })
        .split('x')
        .map(Number);
      const area = tierArea(image, resolution) ?? 0;
      assert.ok(width * height <= area && width * height > area * 0.85, `${width}x${height}`);
      assert.ok(width % 16 === 0 && height % 16 === 0);
      assert.ok(Math.abs(Math.log((width / height / wide) * high)) < 0.13);
    }),
  );
});

test('exact pixels win: a size, two sides, or a ratio written in pixels', () => {
  const ratios = { type: 'string', default: null, description: 'Pixels.', enum: ['1280:720', '720:1280'] } as const;
  const listed = { ...film, parameters: { aspect_ratio: ratios } };
  assert.equal(sizeOf(image, { size: '1536x1024', resolution: '4K' }), '1536x1024');
  assert.equal(sizeOf(image, { size: '1536*1024' }), '1536x1024');
  assert.equal(sizeOf(image, { width: 640, height: 480 }), '640x480');
  assert.equal(sizeOf(listed, { aspect_ratio: '1280:720' }), '1280x720');
  assert.equal(sizeOf(image, { aspect_ratio: '960:960' }), '1024x1024');
});

test('a table of the entry is followed to the pixel, at the nearest ratio where none is named', () => {
  const model = { ...image, sizing: { table: { '2K': { '1:1': '2048x2048', '16:9': '2752x1536' } } } };
  assert.equal(sizeOf(model, { resolution: '2K', aspect_ratio: '16:9' }), '2752x1536');
  assert.equal(sizeOf(model, { resolution: '2K', aspect_ratio: 'auto' }, { width: 1920, height: 1000 }), '2752x1536');
  assert.equal(sizeOf(model, { size: '2K', aspect_ratio: '16:9' }), '2752x1536');
});

test('auto, adaptive and no ratio follow the first picture within bounds, or use the default ratio', () => {
  const picture = { width: 2000, height: 1000 };
  for (const aspectRatio of ['auto', 'adaptive', null]) {
    assert.equal(sizeOf(image, { aspectRatio }, picture), '1456x720');
    assert.equal(sizeOf(image, { aspect_ratio: aspectRatio }), '1024x1024');
    assert.equal(sizeOf(film, { aspect_ratio: aspectRatio }), '1280x720');
  }
  assert.equal(
    sizeOf(image, { resolution: '0.5K', aspect_ratio: 'auto' }, { width: 9000, height: 10 }),
    sizeOf(image, { resolution: '0.5K', aspect_ratio: '8:1' }),
  );
});

test("an entry's own tiers come before the contract's", () => {
  const model = { ...film, sizing: { tiers: { hd: [1280, 720] as [number, number] }, tier: 'hd' } };
  assert.equal(sizeOf(model, { resolution: 'hd', aspect_ratio: '16:9' }), '1280x720');
  assert.equal(tierArea(film, 'hd'), null);
});

test("the name of an object's prototype property is not a size", () => {
  for (const word of ['constructor', 'toString', '__proto__', 'valueOf']) {
    assert.equal(tierArea(image, word), null, word);
    assert.equal(sizeOf(image, { size: word, resolution: word, aspect_ratio: word }), sizeOf(image, {}), word);
  }
});
