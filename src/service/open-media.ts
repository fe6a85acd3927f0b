import type { KeyBudgets } from '../accounts/end-user-budgets.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { createMediaTools, type MediaTools } from '../media/media-tools.ts';
import { budgetMedia } from '../uploads/budgeted-media.ts';

/**
 * Opens the media tools, whose processes start with the first file. Media that API keys send count against their
 * budgets.
 */
export function openMedia(
  { mediaProcesses }: Pick<Config, 'mediaProcesses'>,
  budgets: KeyBudgets,
  log: Log,
  closers: AsyncDisposableStack,
): MediaTools {
  const media = createMediaTools({
    ...(mediaProcesses === null ? {} : { size: mediaProcesses }),
    onEnded: ({ reason, cause }, { task }) =>
      log.warn({ err: cause, reason, task }, 'media process ended before it had read its file'),
  });
  closers.defer(() => media.close());
  return budgetMedia(media, budgets);
}
