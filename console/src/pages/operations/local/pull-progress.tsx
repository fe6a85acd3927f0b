import { Progress, Text } from '@mantine/core';
import { formatBytes, formatSeconds } from '../../../format.ts';
import { localTexts } from '../../../texts/local.ts';
import classes from './local.module.css';
import type { LocalModel } from './use-local-models.ts';

const texts = localTexts.progress;

/** How far a pull has come, with its speed and the time left. */
export function PullProgress({
  title,
  pull,
}: {
  readonly title: string;
  readonly pull: NonNullable<LocalModel['pull']>;
}) {
  const { work, file, done_bytes: done, total_bytes: total, bytes_per_second: speed, seconds_left: left } = pull;
  const percent = total === null || total === 0 ? 0 : (done / total) * 100;
  const facts = [
    texts.work[work],
    ...(file === null ? [] : [file]),
    ...(total === null ? [] : [`${formatBytes(done)} / ${formatBytes(total)}`]),
    ...(speed === null || speed < 1 ? [] : [texts.speed(formatBytes(speed))]),
    ...(left === null ? [] : [texts.left(formatSeconds(left))]),
  ];
  return (
    <div className={classes.progress}>
      <Progress value={percent} animated aria-label={texts.label(title)} />
      <Text size="sm" c="dimmed" className="figures">
        {facts.join(' · ')}
      </Text>
    </div>
  );
}
