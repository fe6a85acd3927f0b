import type { Page } from 'playwright-core';
import { switchOn } from '../../test/browser/browser.ts';
import { chooseModel } from '../../test/browser/choose-model.ts';
import type { BusyConsole } from './busy-console.ts';
import { LIGHT_TABLE_VIEWS } from './light-table-views.ts';
import type { View } from './view.ts';

const shown = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();
const pictureShown = async (page: Page) => {
  await page.locator('figure :is(img, video)').waitFor();
  await page.getByTestId('price').waitFor();
};
const newcomer = ({ newcomer: test, keys }: BusyConsole) => ({ test, admin: keys.admin });
/** Shows test orders too, and waits for one. */
const testOrders = (text: RegExp) => async (page: Page) => {
  await switchOn(page, 'Show test orders too');
  await page.getByText(text).first().waitFor();
};
const options = (page: Page) => page.getByRole('button', { name: 'Options of the order' }).click();
const more = (page: Page) => page.getByRole('button', { name: 'More settings' }).click();
const prompt = (page: Page, text: string) => page.getByLabel('Prompt', { exact: true }).fill(text);

export const VIEWS: readonly View[] = [
  { name: 'sign-in', keys: () => ({}), reach: shown('API key') },
  { name: 'studio-empty', keys: newcomer, whole: true, reach: shown('Your results appear here.') },
  {
    name: 'studio',
    at: ({ still }) => `/t/${still.task_id}`,
    whole: true,
    documented: 'dark-wide',
    reach: async (page) => {
      await prompt(page, 'A lighthouse on a cliff at dusk, waves below');
      await pictureShown(page);
    },
  },
  {
    name: 'studio-loading',
    at: () => '/usage',
    reach: async (page, { url, still }) => {
      await page.route(/\/v1\/(models|prices)$/, () => undefined);
      await page.goto(`${url}/#/t/${still.task_id}`);
      await page.reload();
      await page.locator('figure img').waitFor();
    },
  },
  {
    name: 'studio-grid',
    at: ({ sheet }) => `/t/${sheet.task_id}`,
    whole: true,
    reach: async (page) => {
      await pictureShown(page);
      await page.getByRole('group', { name: 'Tile 2' }).hover();
    },
  },
  { name: 'studio-film', at: ({ motion }) => `/t/${motion.task_id}`, reach: pictureShown },
  { name: 'studio-failed', at: ({ refused }) => `/t/${refused.task_id}`, reach: shown('The order failed') },
  {
    name: 'studio-running',
    whole: true,
    reach: async (page) => {
      await prompt(page, 'A windmill by a canal');
      await options(page);
      await page.getByRole('combobox', { name: 'Outcome' }).click();
      await page.getByRole('option', { name: 'Succeeds' }).click();
      await page.getByLabel('After seconds').fill('30');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
      await page.waitForTimeout(8_000);
    },
  },
  {
    name: 'studio-form',
    whole: true,
    reach: async (page, { still }) => {
      await chooseModel(page, 'Veo 3.1 Fast');
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
    name: 'studio-canceled',
    at: ({ canceled }) => `/t/${canceled.task_id}`,
    reach: shown('Nothing was charged'),
  },
  {
    name: 'studio-down',
    at: ({ still }) => `/t/${still.task_id}`,
    reach: async (page) => {
      await pictureShown(page);
      await prompt(page, 'A lighthouse on a cliff at dusk, waves below');
      await page.getByRole('button', { name: 'Create', disabled: false }).waitFor();
      await page.route(/\/v1\//, (route) => route.abort());
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('The service does not answer').waitFor();
      await page.getByText('It is not known whether the order arrived').waitFor();
    },
  },
  {
    name: 'studio-options',
    whole: true,
    reach: async (page) => {
      await prompt(page, 'A lighthouse on a cliff at dusk, waves below');
      await options(page);
      await page.getByRole('textbox', { name: 'Price limit' }).fill('0.005');
      await page.getByRole('textbox', { name: 'Your customer’s id' }).fill('customer-1042');
      await page.getByRole('textbox', { name: 'Webhook URL' }).fill('https://shop.example/hooks');
      for (const [place, pair] of [
        ['cart', '88-1042'],
        ['purpose', 'cover'],
      ].entries()) {
        await page.getByRole('button', { name: 'Add a note' }).click();
        await page.getByRole('textbox', { name: `Name of note ${place + 1}` }).fill(pair[0] ?? '');
        await page.getByRole('textbox', { name: `Value of note ${place + 1}` }).fill(pair[1] ?? '');
      }
      await page.getByText('It costs').first().waitFor();
    },
  },
  {
    name: 'studio-rule',
    reach: async (page) => {
      await chooseModel(page, 'Veo 3.1 Fast');
      await prompt(page, 'a fox');
      await page.locator('label', { hasText: /^4k$/ }).click();
      await page.locator('label', { hasText: /^4\./ }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'studio-price',
    reach: async (page) => {
      await chooseModel(page, 'Seedream 4.5');
      await prompt(page, 'a fox');
      await page.getByRole('button', { name: /^Price breakdown/ }).click();
    },
  },
  {
    name: 'gallery',
    documented: 'light-wide',
    reach: async (page) => {
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
  { name: 'history', at: () => '/history', documented: 'dark-wide', reach: shown('A rocket rising') },
  {
    name: 'history-selected',
    at: () => '/history',
    reach: async (page) => {
      const boxes = page.getByRole('checkbox');
      await boxes.nth(5).waitFor({ state: 'attached' });
      for (const place of [0, 2, 3]) await boxes.nth(place).check();
    },
  },
  { name: 'history-empty', at: () => '/history', keys: newcomer, reach: shown('No orders yet') },
  {
    name: 'history-detail',
    at: ({ still }) => `/history/${still.task_id}`,
    reach: shown('Timeline'),
  },
  {
    name: 'history-family',
    at: ({ upscaled }) => `/history/${upscaled.task_id}`,
    reach: async (page) => {
      await page.getByText('Timeline').waitFor();
      await page.getByText('Made from').first().scrollIntoViewIfNeeded();
      await page.getByRole('dialog').getByText('Task').last().scrollIntoViewIfNeeded();
    },
  },
  { name: 'history-failed', at: ({ refused }) => `/history/${refused.task_id}`, reach: shown('Timeline') },
  {
    name: 'usage',
    at: () => '/usage',
    whole: true,
    documented: 'light-wide',
    reach: async (page) => {
      await page.locator('.recharts-bar-rectangle').first().waitFor();
      await page.getByText('Ledger').first().waitFor();
    },
  },
  { name: 'usage-empty', at: () => '/usage', keys: newcomer, whole: true, reach: shown('Nothing') },
  { name: 'keys', at: () => '/operations/people', whole: true, reach: shown('acme web shop') },
  {
    name: 'keys-new',
    at: () => '/operations/people',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('button', { name: 'Create the key' }).waitFor();
    },
  },
  {
    name: 'keys-revoke',
    at: () => '/operations/people',
    reach: async (page) => {
      await page.getByRole('button', { name: /^(?!Copy).*shop backend/ }).click();
      await page.getByRole('menuitem').last().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'keys-rotate',
    at: () => '/operations/people',
    reach: async (page) => {
      await page.getByRole('button', { name: /^(?!Copy).*shop backend/ }).click();
      await page.getByRole('menuitem', { name: 'Rotate' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'keys-secret',
    at: () => '/operations/people',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('shop staging');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByRole('button', { name: 'Copy the key' }).waitFor();
    },
  },
  {
    name: 'accounts-credit',
    at: () => '/operations/people',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Credit Acme Pictures' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'session-menu',
    reach: async (page) => {
      await page.getByTestId('price').waitFor();
      await page.getByRole('button', { name: 'Keys in this browser' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'accounts-change',
    at: () => '/operations/people',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Change Acme Pictures' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'operations', at: () => '/operations', whole: true, documented: 'dark-wide', reach: shown('gets no orders') },
  { name: 'operations-upstreams', at: () => '/operations/upstreams', whole: true, reach: shown('Accepts orders') },
  { name: 'operations-alerts', at: () => '/operations/alerts', whole: true, reach: shown('Upstream blocked') },
  {
    name: 'operations-orders',
    at: ({ refused }) => `/operations/orders/${refused.task_id}`,
    whole: true,
    reach: async (page) => {
      await page.getByText('One order').waitFor();
      await page.getByText('Its requests').waitFor();
    },
  },
  {
    name: 'operations-checkup',
    at: () => '/operations/upstreams',
    whole: true,
    reach: async (page) => {
      await page.getByRole('button', { name: 'Check everything' }).click();
      await page.getByText('written and read back').waitFor();
    },
  },
  {
    name: 'operations-unknown',
    at: () => '/operations/orders?state=unknown',
    whole: true,
    reach: testOrders(/A test key simulated this/),
  },
  {
    name: 'operations-failures',
    at: () => '/operations/orders?state=failed',
    whole: true,
    reach: testOrders(/refused for its content/),
  },
  { name: 'operations-webhooks', at: () => '/operations/webhooks', whole: true, reach: shown('task.failed') },
  { name: 'operations-models', at: () => '/operations/models', reach: shown('flux-2-pro') },
  { name: 'operations-requests', at: () => '/operations/requests', reach: shown('/v1/images') },
  { name: 'local', at: () => '/operations/local', whole: true, reach: shown('Not pulled') },
  { name: 'operations-costs', at: () => '/operations/money', whole: true, reach: shown('Margin') },
  { name: 'operations-audit', at: () => '/operations/audit', reach: shown('key.create') },
  {
    name: 'needs-admin',
    at: () => '/operations/people',
    keys: ({ viewer: test }) => ({ test }),
    reach: shown('needs an admin key'),
  },
  { name: 'not-found', at: () => '/nowhere', reach: shown('Page not found') },
];
