import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { until } from '@darkroom-service/testing';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from '../../test/browser/launch-browser.ts';
import { type BusyConsole, openBusyConsole } from './busy-console.ts';
import { VIEWS } from './console-views.ts';
import type { View } from './view.ts';

/**
 * The console in pictures: `node docs/pictures/console-pictures.ts` paints those of the documentation anew.
 * `--all <directory>` keeps every view there as it looks light and dark, on a wide screen, a tablet and a phone, to be
 * looked at after a change; `--only <regular expression>` narrows it to views of that name, `--look dark-wide` to one
 * of the six.
 */
const { values: options } = parseArgs({
  options: { all: { type: 'string' }, only: { type: 'string', default: '' }, look: { type: 'string', default: '' } },
});
const only = new RegExp(options.only);

interface Look {
  readonly name: string;
  readonly scheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
}

const WIDE = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };
const PHONE = { width: 390, height: 844 };
const LOOKS: readonly Look[] = [
  { name: 'dark-wide', scheme: 'dark', viewport: WIDE },
  { name: 'light-wide', scheme: 'light', viewport: WIDE },
  { name: 'dark-tablet', scheme: 'dark', viewport: TABLET },
  { name: 'light-tablet', scheme: 'light', viewport: TABLET },
  { name: 'dark-phone', scheme: 'dark', viewport: PHONE },
  { name: 'light-phone', scheme: 'light', viewport: PHONE },
];
const PATIENCE_MS = 60_000;
const WEBP = { quality: 82, effort: 6 };

const closers: (() => Promise<void>)[] = [];
try {
  const service = await openBusyConsole({ after: (close) => void closers.unshift(close as () => Promise<void>) });
  const browser = await launchBrowser();
  closers.unshift(() => browser.close());
  if (options.all === undefined) await pictureDocumentation(browser, service);
  else await pictureAll(browser, service, resolve(options.all));
} finally {
  for (const close of closers) await close();
}

async function pictureDocumentation(browser: Browser, service: BusyConsole): Promise<void> {
  for (const view of VIEWS) {
    if (view.documented === undefined || !only.test(view.name)) continue;
    const look = LOOKS.find(({ name }) => name === view.documented);
    if (look === undefined) throw new Error(`${view.name} is to be pictured as ${view.documented}, which is no look`);
    const webp = await sharp(await picture(browser, service, view, look))
      .webp(WEBP)
      .toBuffer();
    await writeFile(join(import.meta.dirname, `console-${view.name}.webp`), webp);
    process.stdout.write(`console-${view.name}.webp: ${webp.length} bytes\n`);
  }
}

async function pictureAll(browser: Browser, service: BusyConsole, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const look of LOOKS.filter(({ name }) => name.includes(options.look))) {
    for (const view of VIEWS.filter(({ name }) => only.test(name))) {
      const png = await picture(browser, service, view, look).catch((error: unknown) => {
        process.stdout.write(`${view.name} ${look.name}: ${String(error).slice(0, 400)}\n`);
        return null;
      });
      if (png !== null) await writeFile(join(directory, `${view.name}-${look.name}.png`), png);
    }
  }
}

async function picture(browser: Browser, service: BusyConsole, view: View, look: Look): Promise<Buffer> {
  const context = await browser.newContext({
    viewport: look.viewport,
    colorScheme: look.scheme,
    reducedMotion: 'reduce',
  });
  try {
    const keys = view.keys === undefined ? service.signedIn : view.keys(service);
    const session = JSON.stringify({ keys, mode: keys.test === undefined ? 'live' : 'test', remembered: false });
    if (Object.keys(keys).length > 0)
      await context.addInitScript((kept) => sessionStorage.setItem('darkroom.session', kept), session);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${service.url}/#${view.at?.(service) ?? '/'}`);
    await view.reach(page, service);
    await untilStill(page);
    if (view.whole === true) await page.evaluate('scrollTo(0, 0)');
    return await page.screenshot({
      fullPage: view.documentedWhole === true || (view.whole === true && options.all !== undefined),
    });
  } finally {
    await context.close();
  }
}

/** Once nothing is being fetched and every picture in sight is there. */
async function untilStill(page: Page): Promise<void> {
  // One that is loaded lazily is awaited if it is in sight.
  const isThere =
    '[...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight || image.getBoundingClientRect().bottom < 0)';
  await until(() => page.evaluate<boolean>(isThere), Boolean);
  await page.waitForTimeout(450);
}
