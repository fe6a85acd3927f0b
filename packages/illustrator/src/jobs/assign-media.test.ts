import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignMedia } from './assign-media.ts';
import type { PaintMedia } from './paint-job.ts';

function medium(field: string, role?: string, kind: PaintMedia['kind'] = 'image'): PaintMedia {
  return { field, ...(role === undefined ? {} : { role }), kind, contentType: 'image/png', path: `${field}.png` };
}

const FIRST = medium('first_frame_url', 'first_frame');
const LAST = medium('last_frame_url', 'last_frame');
const NOTHING = { first: null, last: null, mask: null, style: null, sound: null, shown: [] };

test('a film begins and ends on the pictures whose roles say so', () => {
  assert.deepEqual(assignMedia([LAST, FIRST], true), { ...NOTHING, first: FIRST, last: LAST });
  const plain = medium('image_urls', 'first_frame');
  assert.deepEqual(assignMedia([plain], true), { ...NOTHING, first: plain });
  const three = [1, 2, 3].map((each) => ({ ...medium('image_urls', 'first_and_last_frame'), path: `${each}` }));
  const [one, two, end] = three;
  assert.deepEqual(assignMedia(three, true), { ...NOTHING, first: one, last: end, shown: [two] });
  assert.deepEqual(assignMedia(three.slice(0, 1), true), { ...NOTHING, first: one });
});

test('a reference picture is shown, also if it is the only one', () => {
  const reference = medium('image_urls', 'reference');
  assert.deepEqual(assignMedia([reference], true), { ...NOTHING, shown: [reference] });
});

test('without roles in the catalog, one picture is the first frame and several are references', () => {
  const [one, two] = [medium('image_urls'), { ...medium('image_urls'), path: 'other' }];
  assert.deepEqual(assignMedia([one], true), { ...NOTHING, first: one });
  assert.deepEqual(assignMedia([one, two], true), { ...NOTHING, shown: [one, two] });
  assert.deepEqual(assignMedia([one], false), { ...NOTHING, shown: [one] });
});

test('films are shown before pictures, a style is not shown, a sound is heard', () => {
  const [picture, film] = [
    medium('image_urls', 'reference'),
    medium('reference_video_urls', 'reference_video', 'video'),
  ];
  const [style, sound] = [medium('sref', 'style'), medium('reference_audio_urls', 'reference_audio', 'audio')];
  const mask = medium('mask_url');
  assert.deepEqual(assignMedia([picture, style, mask, film, sound], false), {
    ...NOTHING,
    mask,
    style,
    sound,
    shown: [film, picture],
  });
});
