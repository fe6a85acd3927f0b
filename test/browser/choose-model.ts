import type { Page } from 'playwright-core';

/** Chooses a model from the gallery by its name. */
export async function chooseModel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page.getByPlaceholder('Search models').fill(name);
  await page.getByRole('dialog').getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
