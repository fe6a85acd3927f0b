import type { Page } from 'playwright-core';

/** Opens the filters of the wall, or closes them. */
export async function toggleFilters(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Filters/ }).click();
}

/** Chooses a value of a filter of the wall. */
export async function filterBy(page: Page, filter: string, value: string): Promise<void> {
  await toggleFilters(page);
  await page.getByRole('combobox', { name: filter, exact: true }).click();
  await page.getByRole('option', { name: value, exact: true }).click();
  await toggleFilters(page);
}
