import type { PullProgress } from '../local/execute-pull.ts';
import { createTransferRate } from '../local/transfer-rate.ts';
import { formatBytes } from './byte-size.ts';
import type { ProgressBar } from './progress-bar.ts';

/** Draws a download's share, speed and time left, several times a second at most. */
export function createPullProgress(
  bar: ProgressBar,
  { doneBytes, totalBytes }: { readonly doneBytes: number; readonly totalBytes: number },
  now: () => number = Date.now,
): (progress: PullProgress) => void {
  const rate = createTransferRate(now);
  let done = doneBytes;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return ({ name, work, bytes }) => {
    if (work !== 'checking') {
      done += bytes;
      rate.add(bytes);
    }
    if (now() - drawnAt < 200) return;
    drawnAt = now();
    const percent = totalBytes === 0 ? 100 : (done / totalBytes) * 100;
    bar.draw(percent, work === 'checking' ? `checking ${name}` : `${describeSpeed(rate.perSecond())}  ${name}`);
  };

  function describeSpeed(perSecond: number | null): string {
    if (perSecond === null || perSecond < 1) return formatBytes(done);
    return `${formatBytes(perSecond)}/s, ${describeSeconds((totalBytes - done) / perSecond)} left`;
  }
}

function describeSeconds(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
