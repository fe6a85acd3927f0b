import { type BatchView, world } from '@darkroom-service/contract';

/** Describes a batch in one line for people. */
export function describeBatch({ batch_id: id, status, counts, cost }: BatchView): string {
  const parts = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  return `${id}  ${status}  ${parts.join(', ')}  ${cost.charged} of ${cost.quoted} ${cost.currency} charged`;
}

/** Describes the progress of a batch in one line. @param secondsLeft null = unknown */
export function describeProgress(batch: BatchView, saved: number, secondsLeft: number | null): string {
  const { counts, cost, orders } = batch;
  const failed = counts.failed + counts.canceled;
  const parts = [
    `${saved} of ${orders} saved`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    `${cost.charged} ${cost.currency} charged`,
    ...(secondsLeft === null ? [] : [`about ${inWords(secondsLeft)} to go`]),
  ];
  return parts.join(', ');
}

function endedOf({ counts }: BatchView): number {
  return counts.succeeded + counts.failed + counts.canceled;
}

/** Estimates from the pace so far the remaining seconds of a batch; null until something has ended. */
export function createEstimate(now: () => number = () => world.now()): (batch: BatchView) => number | null {
  let first: { readonly at: number; readonly ended: number } | null = null;
  return (batch) => {
    const ended = endedOf(batch);
    first ??= { at: now(), ended };
    const pace = (ended - first.ended) / ((now() - first.at) / 1000);
    return pace > 0 && Number.isFinite(pace) ? Math.ceil((batch.orders - ended) / pace) : null;
  };
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
