import { chatUsage } from '@darkroom-service/addition-openai/mapping/chat-answer';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { failureOf, outputsOf, type ViewRow } from '@darkroom-service/darkroom/kernel-views';
import { OPENROUTER_DIALECT } from './openrouter-dialect.ts';
import type { VideoJobView } from './openrouter-wire.ts';

const STATUSES = {
  queued: 'pending',
  processing: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'cancelled',
} as const satisfies Record<ViewRow['status'], VideoJobView['status']>;

/** Converts a video task to OpenRouter's job. */
export function viewVideoJob({ settings }: Pick<Kernel, 'settings'>, row: ViewRow): VideoJobView {
  const pollingUrl = `${settings.publicUrl}${OPENROUTER_DIALECT.root}/videos/${row.id}`;
  const outputs = outputsOf(row);
  const isErased = row.status === 'succeeded' && outputs.length === 0;
  const failure = failureOf(row);
  const { cost } = chatUsage({ charged: row.charged ?? 0 });
  return {
    id: row.id,
    generation_id: row.id,
    polling_url: pollingUrl,
    status: isErased ? 'expired' : STATUSES[row.status],
    ...(outputs.length === 0
      ? {}
      : { unsigned_urls: outputs.map((_, index) => `${pollingUrl}/content?index=${index}`) }),
    ...(row.completed_at === null ? {} : { usage: { cost } }),
    ...(failure === null ? {} : { error: failure.message }),
  };
}
