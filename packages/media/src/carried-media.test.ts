import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MediaSearch } from './carried-media.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(28)]).toString('base64');
const HEIC = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic'), Buffer.alloc(28)]).toString('base64');

const MEDIA: readonly (readonly [name: string, value: unknown])[] = [
  ...[PNG, WAV, HEIC, PNG.replaceAll('A', 'A\n'), PNG.replaceAll('+', '-').replaceAll('/', '_')],
  ...['data:image/png;base64,AAAA', 'DATA:video/mp4,x', 'data:;base64,AAAA', 'data:image/svg+xml;charset=utf-8,<svg/>'],
  ...['https://a.example/fox.png', 'http://a.example/fox.JPEG?w=1#2', 'https://a.example/get?file=fox.webp'],
  ...['s3://bucket/fox.mp4', '//a.example/fox.mp3', 'file:///fox.heic', 'upload:file_1', 'task:img_1#2'],
]
  .map((value): readonly [string, unknown] => ['fox', value])
  .concat([
    ['control_image', 'https://a.example/1'],
    ['controlImage', 'fox.png'],
    ['fox', [null, 1, { a: [{ b: 'data:image/png;base64,AAAA' }] }]],
    ['fox', { image_url: { url: 'https://a.example/1' } }],
    ['fox', { file_id: 'file_1' }],
    ['fox', { b64_json: 'AAAA' }],
    ['fox', { inlineData: { mimeType: 'image/png', data: PNG } }],
    ['fox', '{"image_url":"https://a.example/1"}'],
    ['image_prompt', 'https://a.example/fox.png'],
  ]);

const NOTHING: readonly (readonly [name: string, value: unknown])[] = [
  ['fox', 'a fox at https://a.example/fox.png'],
  ['fox', 'https://a.example/fox'],
  ['fox', 'data: 5, 6'],
  ['fox', 'upload: later'],
  ['fox', 'fox.png'],
  ['fox', ''],
  ['fox', [1, true, null, {}, []]],
  ['fox', 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'],
  ['fox', '{"fox":'],
  ['image_format', 'png'],
  ['image_size', { width: 512, height: 512 }],
  ['negative_prompt', 'https://a.example/fox.png'],
  ['fox', { text: 'data:image/png;base64,AAAA' }],
];

test('a medium is found whatever form it has, and nothing else is taken for one', () => {
  for (const [name, value] of MEDIA)
    assert.equal(new MediaSearch().inspect(name, value), 'media', JSON.stringify([name, value]));
  for (const [name, value] of NOTHING)
    assert.equal(new MediaSearch().inspect(name, value), 'nothing', JSON.stringify([name, value]));
});

test('a value that is too deep or too long to be searched is not taken for one without media', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'fox' : [nested(levels - 1)]);
  assert.equal(new MediaSearch().inspect('fox', nested(64)), 'nothing');
  assert.equal(new MediaSearch().inspect('fox', nested(65)), 'unclear');
  const search = new MediaSearch();
  assert.equal(
    search.inspect(
      'fox',
      Array.from({ length: 9_000 }, () => 1),
    ),
    'nothing',
  );
  assert.equal(
    search.inspect(
      'owl',
      Array.from({ length: 999 }, () => 1),
    ),
    'unclear',
  );
});

test('media are returned as orders refer to them', () => {
  const sent: unknown = [
    'https://a.example/1',
    PNG,
    { file_id: 'file_1' },
    { file_id: 'upload:file_2' },
    { type: 'input_image', image_url: { url: 'https://a.example/2', detail: 'high' } },
    { filename: 'fox.png', data: PNG },
    '["https://a.example/3"]',
  ];
  assert.deepEqual(new MediaSearch().sourcesOf('image', sent), [
    'https://a.example/1',
    `data:application/octet-stream;base64,${PNG}`,
    'upload:file_1',
    'upload:file_2',
    'https://a.example/2',
    `data:application/octet-stream;base64,${PNG}`,
    'https://a.example/3',
  ]);
});
