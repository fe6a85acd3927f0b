import type { Addition } from '../service/addition.ts';
import { applyRetention, DAY_MS, previewRetention, type RetentionChange } from '../service/operations/retention.ts';
import { usageFault } from './command-fault.ts';
import { withLocalData } from './local-database.ts';
import { type OutputOptions, show } from './output.ts';
import { requireYes } from './standard-input.ts';
import { formatBytes } from './values.ts';

interface RetentionOptions extends OutputOptions {
  readonly days: string;
  readonly yes?: true;
}

const [LEAST_DAYS, MOST_DAYS] = [0.001, 36_500];

/** Shortens the retention of existing orders, after a confirmation. */
export async function applyShorterRetention(additions: readonly Addition[], options: RetentionOptions): Promise<void> {
  const days = Number(options.days);
  if (!(days >= LEAST_DAYS && days <= MOST_DAYS))
    throw usageFault(`--days: expected a number from ${LEAST_DAYS} to ${MOST_DAYS}, found '${options.days}'`);
  await withLocalData('refuse', async ({ database, by }) => {
    const request = {
      now: by.now,
      ms: Math.round(days * DAY_MS),
      hooks: additions.flatMap(({ hooks }) => hooks ?? []),
    };
    const change = await previewRetention(database.read, request);
    if (change.orders + change.uploads + change.shortened === 0) {
      const text = `Nothing is older than ${days} days or would be erased earlier.`;
      return show(options, { json: { applied: false, days, ...change }, text });
    }
    const words = describe(change, days);
    const isAgreed =
      options.yes === true || (await requireYes(`${words}\nErase this?`, `${words}\nAdd --yes to erase it.`));
    if (isAgreed) await applyRetention(database, by, request, change);
    const done = isAgreed
      ? 'A running service erases it within a minute; a stopped or held one when it works again.'
      : 'Nothing was changed.';
    const next = `DARKROOM_RETENTION_DAYS counts for new orders: set it to ${days} too, and restart.`;
    show(options, { json: { applied: isAgreed, days, ...change }, text: `${words}\n${done}\n${next}` });
  });
}

function describe({ orders, accounts, bytes, uploads, shortened, kept }: RetentionChange, days: number): string {
  const lines = [
    `Retention of ${days} days from the end of each order: ${orders} orders of ${accounts} accounts and ${uploads} uploads are older (${formatBytes(bytes)}).`,
    `Their prompts, inputs and outputs are erased for good; their rows and money stay.`,
  ];
  if (shortened > 0) lines.push(`${shortened} more orders are erased earlier than planned.`);
  if (kept > 0) lines.push(`${kept} orders keep their time: a delivery, a webhook or another order needs them.`);
  return lines.join('\n');
}
