import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { openConsole, PHONE } from './browser.ts';

interface Manifest {
  readonly start_url: string;
  readonly icons: readonly {
    readonly src: string;
    readonly sizes: string;
    readonly type: string;
    readonly purpose: string;
  }[];
}

/** What a browser decodes of an icon: its size, and how far from the middle it differs from its corner, from 0 to 1. */
interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly cornerAlpha: number;
  readonly reach: number;
}

/** Said to the page as text, since its globals are not those of Node. */
const DECODE = `async (url) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let reach = 0;
  for (let at = 0; at < data.length; at += 4) {
    const differs = Math.abs(data[at] - data[0]) + Math.abs(data[at + 1] - data[1]) + Math.abs(data[at + 2] - data[2]) > 30;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    if (differs) reach = Math.max(reach, Math.hypot(x - width / 2, y - height / 2) / (width / 2));
  }
  return { width, height, cornerAlpha: data[3], reach };
}`;
/** A system may cut a maskable icon down to a circle of four fifths of its width. */
const SAFE_ZONE = 0.8;

test('a phone can install the console: the browser finds no fault with its manifest, and the icons are what it says', async (t) => {
  const service = await startTestService(t);
  const page = await openConsole(t, service, { keys: service.keys, viewport: PHONE });
  await page.getByLabel('Prompt', { exact: true }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const { url, data = '', errors } = await devtools.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.deepEqual((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors, []);
  const manifest = JSON.parse(data) as Manifest;
  assert.equal(new URL(manifest.start_url, url).href, `${service.url}/`);
  const purposes = manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`);
  for (const needed of ['any 192x192', 'any 512x512', 'maskable 512x512']) assert.ok(purposes.includes(needed), needed);

  for (const { src, sizes, type, purpose } of manifest.icons) {
    const address = new URL(src, url).href;
    const answer = await fetch(address);
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type], src);
    const icon = await page.evaluate<Decoded>(`(${DECODE})(${JSON.stringify(address)})`);
    if (sizes !== 'any') assert.equal(`${icon.width}x${icon.height}`, sizes, src);
    if (purpose !== 'maskable') continue;
    assert.equal(icon.cornerAlpha, 255, 'the system cuts the corners');
    assert.ok(icon.reach > 0.4 && icon.reach < SAFE_ZONE, `the mark reaches ${icon.reach} of the way to the edge`);
  }
  const headers = (await fetch(url)).headers;
  assert.equal(headers.get('content-type'), 'application/manifest+json');
  assert.equal(headers.get('cache-control'), 'no-cache', 'an upgrade may change it');
});
