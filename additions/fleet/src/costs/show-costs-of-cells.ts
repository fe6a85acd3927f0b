import { type CostOptions, showCosts, showCostsOf } from '@darkroom-service/addition-common/commands/report-costs';
import { costsOfCells } from './costs-of-cells.ts';

/** Runs `darkroom costs`. @param options.cells a file with an admin key of each cell; without it, of this cell alone */
export async function showCostsOfCells({
  cells,
  ...options
}: CostOptions & { readonly cells?: string }): Promise<void> {
  if (cells === undefined) await showCosts(options);
  else await showCostsOf(options, async (span) => ({ items: await costsOfCells(cells, span), hasMore: false }));
}
