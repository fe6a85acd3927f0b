import type { Page } from 'playwright-core';
import { chooseModel } from '../../test/browser/choose-model.ts';
import { addressesOf } from '../../test/browser/every-view.ts';
import { untilPriced } from '../../test/browser/order-form.ts';
import type { BusyConsole } from './busy-console.ts';
import { LIGHT_TABLE_VIEWS } from './light-table-views.ts';
import type { View } from './view.ts';

const shown = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();
const pictureShown = async (page: Page) => {
  await page.locator('figure :is(img, video)').waitFor();
  await page.getByTestId('price').waitFor();
};
const newcomer = ({ newcomer: test, keys }: BusyConsole) => ({ test, admin: keys.admin });
/** The other views, as they stand. */
const OTHER_PLACES = addressesOf({}).filter((at) => /^\/(now\/|orders\/|money|people)/.test(at));
const loaded = async (page: Page) => {
  await page.locator('main :is(h1, h2, table)').first().waitFor();
  await page.locator('main :is(.mantine-Skeleton-root, .mantine-Loader-root)').first().waitFor({ state: 'detached' });
};
/** Opens what a small screen keeps behind the form. */
const settings = async (page: Page) => {
  await page.getByTestId('price').waitFor();
  const button = page.getByRole('button', { name: /^Settings/ });
  if (await button.isVisible()) await button.click();
};
const choose = async (page: Page, name: string) => {
  await settings(page);
  await chooseModel(page, name);
};
const options = (page: Page) => page.getByRole('button', { name: 'For developers' }).click();
const more = (page: Page) => page.getByRole('button', { name: 'More settings' }).click();
const prompt = (page: Page, text: string) => page.getByLabel('Prompt', { exact: true }).fill(text);

export const VIEWS: readonly View[] = [
  { name: 'sign-in', keys: () => ({}), reach: shown('API key') },
  { name: 'make-empty', keys: newcomer, whole: true, reach: shown('What would you like to create?') },
  {
    name: 'make',
    at: ({ still }) => `/t/${still.task_id}`,
    documented: 'dark-wide',
    reach: async (page) => {
      await prompt(page, 'A lighthouse on a cliff at dusk, waves below');
      await pictureShown(page);
    },
  },
  {
    name: 'make-loading',
    at: () => '/money/usage',
    reach: async (page, { url, still }) => {
      await page.route(/\/v1\/(models|prices)$/, () => undefined);
      await page.goto(`${url}/#/t/${still.task_id}`);
      await page.reload();
      await page.locator('figure img').waitFor();
    },
  },
  {
    name: 'make-grid',
    at: ({ sheet }) => `/t/${sheet.task_id}`,
    reach: async (page) => {
      await pictureShown(page);
      await page.getByRole('group', { name: 'Tile 2' }).hover();
    },
  },
  { name: 'make-film', at: ({ motion }) => `/t/${motion.task_id}`, reach: pictureShown },
  { name: 'make-failed', at: ({ refused }) => `/t/${refused.task_id}`, reach: shown('The order failed') },
  {
    name: 'make-running',
    reach: async (page) => {
      await prompt(page, 'A windmill by a canal');
      await options(page);
      await page.getByRole('combobox', { name: 'Outcome' }).click();
      await page.getByRole('option', { name: 'Succeeds' }).click();
      await page.getByLabel('After seconds').fill('30');
      await page.getByRole('button', { name: 'Draw for nothing' }).click();
      await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
      await page.waitForTimeout(8_000);
    },
  },
  {
    name: 'make-form',
    whole: true,
    reach: async (page, { still }) => {
      await choose(page, 'Veo 3.1 Fast Google');
      await prompt(page, 'The boat turns towards the camera');
      await page.getByRole('button', { name: 'Add: Reference images' }).click();
      await page.getByRole('menuitem', { name: 'From your images' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `Image: ${still.input.prompt}` })
        .first()
        .click();
      await more(page);
    },
  },
  {
    name: 'make-canceled',
    at: ({ canceled }) => `/t/${canceled.task_id}`,
    reach: shown('Nothing was charged'),
  },
  {
    name: 'make-down',
    at: ({ still }) => `/t/${still.task_id}`,
    reach: async (page) => {
      await pictureShown(page);
      await prompt(page, 'A lighthouse on a cliff at dusk, waves below');
      await untilPriced(page);
      await page.route(/\/v1\//, (route) => route.abort());
      await page.getByRole('button', { name: 'Draw for nothing' }).click();
      await page.getByText('The service does not answer').waitFor();
      await page.getByText('It is not known whether the order arrived').waitFor();
    },
  },
  {
    name: 'make-rule',
    reach: async (page) => {
      await choose(page, 'Veo 3.1 Fast Google');
      await prompt(page, 'a fox');
      await page.locator('label', { hasText: /^4k$/ }).click();
      await page.locator('label', { hasText: /^4\./ }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'make-price',
    reach: async (page) => {
      await choose(page, 'Seedream 4.5');
      await prompt(page, 'a fox');
      await page.getByRole('button', { name: /^Price breakdown/ }).click();
    },
  },
  {
    name: 'models',
    reach: async (page) => {
      await settings(page);
      await page.getByRole('button', { name: /^Model:/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Sketch/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'mask',
    at: ({ upscaled }) => `/t/${upscaled.task_id}`,
    reach: async (page) => {
      await page.getByRole('button', { name: /^Change a region/ }).click();
      await page.getByRole('dialog').locator('canvas').focus();
      for (const key of ['Space', 'ArrowUp', 'ArrowUp', 'Space', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Space'])
        await page.keyboard.press(key);
    },
  },
  {
    name: 'action',
    at: ({ upscaled }) => `/t/${upscaled.task_id}`,
    reach: async (page) => {
      await page.getByRole('button', { name: /^Pan/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  ...LIGHT_TABLE_VIEWS,
  { name: 'wall', at: () => '/', reach: shown('A rocket rising') },
  {
    name: 'wall-selected',
    at: () => '/',
    reach: async (page) => {
      const boxes = page.getByRole('checkbox', { name: /^Select/ });
      await boxes.nth(5).waitFor({ state: 'attached' });
      for (const place of [0, 2, 3]) await boxes.nth(place).check();
    },
  },
  { name: 'order', at: ({ still }) => `/history/${still.task_id}`, reach: shown('Timeline') },
  {
    name: 'order-family',
    at: ({ upscaled }) => `/history/${upscaled.task_id}`,
    reach: async (page) => {
      await page.getByText('Timeline').waitFor();
      await page.getByText('Made from').first().scrollIntoViewIfNeeded();
    },
  },
  { name: 'order-failed', at: ({ refused }) => `/history/${refused.task_id}`, reach: shown('Timeline') },
  {
    name: 'key-menu',
    reach: async (page) => {
      await page.getByTestId('price').waitFor();
      await page.getByRole('button', { name: 'Keys in this browser' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'palette',
    reach: async (page) => {
      await page.getByTestId('price').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByText('Pages').first().waitFor();
    },
  },
  {
    name: 'keys-new',
    at: () => '/people/keys',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
    },
  },
  { name: 'now', at: () => '/now', whole: true, documented: 'dark-wide', reach: shown('gets no orders') },
  {
    name: 'orders',
    at: () => '/orders?mode=all',
    whole: true,
    reach: loaded,
  },
  ...OTHER_PLACES.map((at) => ({ name: at.slice(1).replaceAll('/', '-'), at: () => at, whole: true, reach: loaded })),
  { name: 'not-found', at: () => '/nowhere', reach: shown('Page not found') },
];
