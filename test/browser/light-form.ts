import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';

export interface LightForm {
  readonly prompts?: string;
  readonly models?: readonly string[];
  readonly seeds?: string;
}

/** Fills the form of a light table. */
export async function fillLightForm(page: Page, { prompts = 'A fox', models = [], seeds }: LightForm): Promise<void> {
  await page.getByLabel('Prompts').fill(prompts);
  for (const name of models) {
    const field = page.getByRole('combobox', { name: 'Models' });
    await field.fill(name);
    await page.getByRole('option', { name }).first().click();
  }
  // Closes the list, which covers the form on a phone.
  if (models.length > 0) await page.getByRole('combobox', { name: 'Models' }).press('Tab');
  if (seeds !== undefined) await page.getByLabel('Seeds', { exact: true }).fill(seeds);
}

/** Orders a light table past the console, and waits until all of it is made. */
export async function makeLightTable(
  { call }: TestService,
  key: string,
  cells: readonly (readonly [
    row: number,
    column: number,
    body: { readonly model_id: string; readonly [field: string]: unknown },
  ])[],
): Promise<string> {
  const orders = cells.map(([row, column, body]) => ({
    name: `0${row}-0${column}_${body.model_id}`,
    operation: 'duration' in body ? 'videos' : 'images',
    body,
  }));
  const { data } = await call(key, 'POST', '/v1/batches', { orders, metadata: { light_table: 'A table' } });
  return data.batch_id;
}
