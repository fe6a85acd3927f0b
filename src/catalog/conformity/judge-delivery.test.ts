import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import { type Model, type ResolvedRequest, readRatio } from '@darkroom-service/contract/catalog';
import { asPlanned, plannedOrders } from '../fixtures/planned-orders.ts';
import { loadShippedCatalog, modelOf } from '../fixtures/sample-catalog.ts';
import { resolveRequest } from '../resolve-request.ts';
import { type Delivered, type Judgement, judgeDelivery, NOTHING_SHORT, otherThing } from './judge-delivery.ts';
import type { TakenRoute } from './sent-values.ts';

const shipped = await loadShippedCatalog();

function requestOf(model: Model, body: JsonObject): ResolvedRequest {
  const found = resolveRequest(model, { prompt: 'a fox', ...body }, { purpose: 'quote' });
  if (!found.ok) throw new Error(JSON.stringify(found.faults));
  return found.request;
}

const TIER: TakenRoute = { parameters: { resolution: 'resolution', duration: 'duration' }, fixed: {} };
const PIXELS: TakenRoute = { parameters: { size: { text: '{width}x{height}', to: 'size' } }, fixed: {} };

const FOUR_K = { resolution: '4k', aspect_ratio: '4:3' };
const SPELLED: TakenRoute = { parameters: { resolution: { to: 'ratio', values: { '4k': '3840:2880' } } }, fixed: {} };

function judged(name: string, body: JsonObject, route: TakenRoute, changes: Partial<Delivered>): Judgement {
  const model = modelOf(shipped, name);
  const request = requestOf(model, body);
  return judgeDelivery({ request, route, measurements: [], model }, asPlanned(request, changes));
}

const codes = ({ warnings }: Judgement) => warnings.map(({ code }) => code);

test('a result as planned gives no warning, in whatever size, ratio and length of whatever model at whatever route', () => {
  const orders = plannedOrders(shipped.models);
  assert.ok(orders.length > 5_000, `${orders.length} orders`);
  for (const { model, request, route } of orders) {
    const delivered = asPlanned(request);
    assert.equal(otherThing(request.type, delivered), null);
    // Whole steps of pixels take a few plans more than 3 % from their ratio.
    const ratio = readRatio(request.values.aspect_ratio);
    const isOff = ratio !== null && Math.abs(request.output.width / request.output.height / ratio - 1) > 0.03;
    const warnings = isOff ? ['other_ratio'] : [];
    const turned = { ...delivered, width: delivered.height, height: delivered.width };
    for (const each of [delivered, turned]) {
      const judgement = judgeDelivery({ request, route, measurements: [], model }, each);
      const order = `${model.model_id} ${JSON.stringify(request.values)} ${JSON.stringify(route.parameters)}`;
      assert.deepEqual(judgement.short, NOTHING_SHORT, order);
      assert.deepEqual(
        codes(judgement).filter((code) => !warnings.includes(code)),
        [],
        order,
      );
    }
  }
});

describe('another thing than ordered', () => {
  const film = { contentType: 'video/mp4', width: 640, height: 360, durationSeconds: 5, hasAudio: true, tiles: null };
  const cases: readonly [ResolvedRequest['type'], Partial<Delivered> | null, string | null][] = [
    ['video', {}, null],
    [
      'video',
      { contentType: 'image/png', durationSeconds: null },
      'a video was ordered, the engine delivered image/png',
    ],
    ['video', { contentType: 'image/gif' }, 'a video was ordered, the engine delivered image/gif'],
    [
      'video',
      { contentType: 'audio/mp4', width: null, height: null },
      'a video was ordered, the engine delivered audio/mp4',
    ],
    ['video', { durationSeconds: 0.4 }, 'a video was ordered, the engine delivered video/mp4 of 0.4 s'],
    ['video', { durationSeconds: 0.5 }, null],
    ['video', null, 'a video was ordered, the engine delivered nothing'],
    ['image', {}, 'an image was ordered, the engine delivered video/mp4'],
    ['image', { contentType: 'audio/wav' }, 'an image was ordered, the engine delivered audio/wav'],
    ['image', { contentType: 'image/gif' }, null],
    [
      'image',
      { contentType: 'image/png', height: 15 },
      'an image was ordered, the engine delivered image/png of 640x15 pixels',
    ],
    ['image', { contentType: 'image/png', height: 16 }, null],
    ['image', null, 'an image was ordered, the engine delivered nothing'],
  ];
  for (const [type, changes, expected] of cases)
    test(`${type}: ${JSON.stringify(changes)} is ${expected ?? 'the thing ordered'}`, () => {
      assert.equal(otherThing(type, changes === null ? null : { ...film, ...changes }), expected);
    });
});

describe('less than ordered', () => {
  const sizes: readonly [string, JsonObject, TakenRoute, string, boolean][] = [
    ['veo-3.1', { resolution: '720p' }, TIER, '720x720', false],
    ['veo-3.1', { resolution: '720p' }, TIER, '1280x544', false],
    ['veo-3.1', { resolution: '720p' }, TIER, '856x480', true],
    ['grok-imagine-video', { resolution: '480p' }, TIER, '832x480', false],
    ['nano-banana-2.1', { resolution: '4K' }, TIER, '3840x2160', false],
    ['nano-banana-2.1', { resolution: '4K' }, TIER, '2880x2880', false],
    ['nano-banana-2.1', { resolution: '4K' }, TIER, '2048x2048', true],
    ['nano-banana-2.1', { resolution: '1K' }, TIER, '1280x720', false],
    ['nano-banana-2.1', { resolution: '1K' }, TIER, '512x512', true],
    ['gpt-image-2', { size: '1024x1024' }, PIXELS, '1024x976', false],
    ['gpt-image-2', { size: '1024x1536' }, PIXELS, '1024x1024', true],
    ['gpt-image-2', { size: '1024x1024' }, PIXELS, '960x1024', false],
    ['gpt-image-2', { size: '1024x1024' }, PIXELS, '960x960', true],
    // The route spells the tier in 3840x2880, and the tier has 3328x2496.
    ['seedance-2.0', FOUR_K, SPELLED, '3328x2496', false],
    ['seedance-2.0', FOUR_K, SPELLED, '2560x1920', true],
    // The caller has not chosen these sides.
    ['gpt-image-2', { aspect_ratio: 'auto' }, PIXELS, '512x512', false],
    // Nothing was sent.
    ['nano-banana-2.1', { resolution: '4K' }, { parameters: {}, fixed: {} }, '512x512', false],
    ['nano-banana-2.1', { resolution: '4K' }, { parameters: null, fixed: {} }, '512x512', false],
    ['krea-2-medium', {}, { parameters: {}, fixed: { resolution: '1K' } }, '64x64', true],
  ];
  for (const [name, body, route, size, isLess] of sizes)
    test(`${size} for ${name} ${JSON.stringify(body)} is ${isLess ? 'less' : 'enough'} (${JSON.stringify(route)})`, () => {
      const [width = 0, height = 0] = size.split('x').map(Number);
      const judgement = judged(name, body, route, { width, height });
      assert.deepEqual(codes(judgement), isLess ? ['smaller'] : []);
      assert.deepEqual(judgement.short.size, isLess ? { width, height } : null);
    });

  const lengths: readonly [JsonObject, number, boolean][] = [
    [{ duration: 6 }, 5.88, false],
    [{ duration: 6 }, 5.5, false],
    [{ duration: 6 }, 5.4, true],
    [{ duration: 15 }, 14.3, false],
    [{ duration: 15 }, 14.2, true],
    [{ duration: 4 }, 3.5, false],
    [{ duration: 4 }, 3, true],
    [{ duration: -1 }, 1, false],
    [{ duration: 6, reference_video_urls: ['upload:any'] }, 3, false],
  ];
  for (const [body, seconds, isLess] of lengths)
    test(`${seconds} s for ${JSON.stringify(body)} is ${isLess ? 'less' : 'enough'}`, () => {
      const judgement = judged('seedance-2.0', body, TIER, { durationSeconds: seconds });
      assert.deepEqual(codes(judgement), isLess ? ['shorter'] : []);
      assert.equal(judgement.short.seconds, isLess ? seconds : null);
    });
});

describe('a warning that costs nothing', () => {
  const route: TakenRoute = {
    parameters: { aspect_ratio: 'ratio', generate_audio: 'audio', output_format: 'format' },
    fixed: {},
  };
  test('tells another ratio by more than 3 %, missing sound, another format and a missing grid', () => {
    const wide = (width: number) =>
      codes(judged('seedance-2.0', { aspect_ratio: '16:9' }, route, { width, height: 720 }));
    assert.deepEqual([wide(1280), wide(1248), wide(1220), wide(960)], [[], [], ['other_ratio'], ['other_ratio']]);
    const silent = judged('seedance-2.0', { generate_audio: true }, route, { hasAudio: false });
    assert.deepEqual([codes(silent), silent.short], [['silent'], NOTHING_SHORT]);
    const format = judged('gpt-image-2', { output_format: 'png' }, route, { contentType: 'image/jpeg' });
    assert.deepEqual(format.warnings, [
      { code: 'other_format', field: 'output_format', ordered: 'png', delivered: 'image/jpeg' },
    ]);
    assert.deepEqual(codes(judged('sketch-grid', {}, route, { tiles: null })), ['no_grid']);
  });

  test('tells a file without alpha for a transparent background, and another quality or model that the answer names', () => {
    const route: TakenRoute = {
      model: 'a/picture',
      parameters: { background: 'background', quality: 'quality' },
      fixed: {},
    };
    const warned = (body: JsonObject, changes: Partial<Delivered>, other: Partial<TakenRoute> = {}) =>
      judged('gpt-image-2', body, { ...route, ...other }, changes);
    const transparent = { background: 'transparent', quality: 'high' };
    const named = { quality: 'low', model: 'A/picture-mini' };
    const { short, warnings } = warned(transparent, { isOpaque: true, named });
    assert.deepEqual(short, NOTHING_SHORT);
    assert.deepEqual(warnings, [
      { code: 'opaque', field: 'background', ordered: 'transparent', delivered: 'opaque' },
      { code: 'other_quality', field: 'quality', ordered: 'high', delivered: 'low' },
      { code: 'other_model', field: 'model_id', ordered: 'gpt-image-2', delivered: 'A/picture-mini' },
    ]);
    assert.deepEqual(codes(warned(transparent, { named: { quality: 'high', model: 'A/Picture' } })), []);
    assert.deepEqual(
      codes(warned({ quality: 'low', background: 'opaque' }, { isOpaque: true, named: { quality: 'low' } })),
      [],
    );
    assert.deepEqual(
      codes(warned(transparent, { isOpaque: true, named }, { model: 'a/picture:7f3', parameters: {} })),
      [],
    );
  });

  test('a route states what it really delivers, which overrides the rules', () => {
    const stated = { source: 'the vendor', as_of: '2026-11' } as const;
    const at = (delivers: Omit<NonNullable<TakenRoute['delivers']>, 'source' | 'as_of'>): TakenRoute => ({
      parameters: { ...TIER.parameters, ...route.parameters },
      fixed: {},
      delivers: { ...delivers, ...stated },
    });
    const film = { resolution: '720p', duration: 6 };
    const small = { width: 960, height: 540 };
    const came = (delivers: Parameters<typeof at>[0], body: JsonObject, changes: Partial<Delivered>) =>
      codes(judged('seedance-2.0', { ...film, ...body }, at(delivers), changes));
    assert.deepEqual(came({}, {}, small), ['smaller']);
    assert.deepEqual(came({ size: { '720p': '960x540' } }, {}, small), []);
    assert.deepEqual(came({ size: { '1080p': '960x540' } }, {}, small), ['smaller']);
    assert.deepEqual(came({ size: false }, {}, small), []);
    assert.deepEqual(came({ seconds: { 6: 5 } }, {}, { durationSeconds: 5 }), []);
    assert.deepEqual(came({ seconds: false }, {}, { durationSeconds: 1 }), []);
    const edit = { reference_video_urls: ['upload:any'] };
    assert.deepEqual(came({ seconds: 'without_input' }, edit, { durationSeconds: 3 }), ['shorter']);
    const model = modelOf(shipped, 'seedance-2.0');
    const request = requestOf(model, { ...film, ...edit });
    const measurements = [{ field: 'reference_video_urls', index: 0, width: 640, height: 360, durationSeconds: 4 }];
    const extended = (durationSeconds: number) =>
      codes(
        judgeDelivery(
          { request, route: at({ seconds: 'with_input' }), measurements, model },
          asPlanned(request, { durationSeconds }),
        ),
      );
    assert.deepEqual([extended(10), extended(6)], [[], ['shorter']]);
    const silent = judged('seedance-2.0', { generate_audio: true }, at({ sound: true }), { hasAudio: false });
    assert.equal(silent.short.isSilent, true);
  });
});
