import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { fillLightForm } from '../../test/browser/light-form.ts';
import { openTray } from '../../test/browser/order-form.ts';
import type { BusyConsole } from './busy-console.ts';
import type { View } from './view.ts';

/**
 * Four prompts on three models: twelve pictures. Without seeds each model chooses its own, so that none is there twice.
 */
const FORM = {
  prompts: 'A lighthouse on a cliff at {dawn|noon|dusk|night}, waves below',
  models: ['Sketch', 'Nano Banana Pro', 'Seedream 4.5'],
  seeds: '',
};
const MADE = 'Draw 12 for nothing';
const EMPTY_FOLDER = { at: () => '/light', keys: ({ lightTable: test }: BusyConsole) => ({ test }) };

async function fill(page: Page): Promise<void> {
  await fillLightForm(page, FORM);
  await page.getByRole('button', { name: 'Vary a setting' }).click();
  await page.getByRole('combobox', { name: 'Setting 1' }).click();
  await page.getByRole('option', { name: 'Aspect ratio' }).click();
  await page.getByRole('combobox', { name: 'Values of Aspect ratio' }).click();
  await page.getByRole('option', { name: '16:9', exact: true }).click();
  await page.getByRole('button', { name: MADE, disabled: false }).waitFor();
  await page.getByLabel('Prompts').click();
}

async function order(page: Page): Promise<void> {
  await fill(page);
  await page.getByRole('button', { name: MADE }).click();
  await page.waitForURL(/bat_/);
}

async function finish(page: Page): Promise<void> {
  await order(page);
  await page.getByText('12 of 12 done').waitFor();
  const isThere = "[...document.querySelectorAll('[role=grid] img')].every((image) => image.naturalWidth > 0)";
  await until(() => page.evaluate<boolean>(isThere), Boolean);
}

const cell = (page: Page, index: number) => page.getByRole('gridcell').nth(index);

/** The way from an empty folder to a light table of twelve pictures over three models. */
export const LIGHT_TABLE_VIEWS: readonly View[] = [
  { name: 'table-form', ...EMPTY_FOLDER, reach: (page) => fill(page) },
  {
    name: 'table',
    ...EMPTY_FOLDER,
    documented: 'dark-wide',
    whole: true,
    documentedWhole: true,
    reach: async (page) => {
      await finish(page);
      await cell(page, 0).press('s');
      await cell(page, 1).press('x');
      await cell(page, 5).press('s');
      await cell(page, 5).press('t');
      await page.locator('input:focus').waitFor();
      await page.keyboard.type('cover');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'table-selected',
    ...EMPTY_FOLDER,
    reach: async (page) => {
      await finish(page);
      await cell(page, 0).press('v');
      await cell(page, 2).press('Shift+V');
      await cell(page, 4).press('v');
    },
  },
  {
    name: 'table-more',
    ...EMPTY_FOLDER,
    reach: async (page) => {
      await finish(page);
      await cell(page, 1).press('m');
      await page.getByRole('dialog').getByRole('button', { name: 'Draw 4 for nothing', disabled: false }).waitFor();
    },
  },
  {
    name: 'table-unconfirmed',
    ...EMPTY_FOLDER,
    reach: async (page) => {
      await page.route(/\/v1\/batches$/, (route) =>
        route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
      );
      await fill(page);
      await page.getByRole('button', { name: MADE }).click();
      await page.getByText('It is not known whether the order arrived').waitFor();
      await (await openTray(page)).getByText('Unconfirmed', { exact: true }).waitFor();
    },
  },
];
