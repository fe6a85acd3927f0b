import { Badge, Text } from '@mantine/core';
import { Suspense } from 'react';
import { nearUrl } from '../../api/service-url.ts';
import { dragTask } from '../../components/dragged.ts';
import { LargePicture } from '../../components/large-picture.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { formatMoney } from '../../components/money.tsx';
import { Understood } from '../../components/understood.tsx';
import { Hint } from '../../components/words.ts';
import { formatCount, formatDecimal } from '../../format.ts';
import { studioTexts } from '../../texts/studio.ts';
import { FollowUps, TileFollowUps } from './follow-ups.tsx';
import { ResultTools } from './result-tools.tsx';
import classes from './stage.module.css';
import type { StageProps } from './stage-props.ts';

const TagBar = lazyPart(async () => (await import('../../components/tags/tag-bar.tsx')).TagBar);
const texts = studioTexts.result;

/** The finished image or video, large, with its actions. */
export function Result({ task, models, ordering }: StageProps) {
  const output = task.outputs[0];
  if (output === undefined) return null;
  const prompt = String(task.input.prompt ?? '');
  const width = output.width ?? 16;
  const height = output.height ?? 9;
  return (
    <div className={classes.result}>
      <figure className={classes.figure}>
        <div
          className={classes.print}
          style={{ aspectRatio: `${width} / ${height}`, ['--ratio' as string]: width / height }}
        >
          {task.type === 'video' ? (
            <video
              src={nearUrl(output.url)}
              poster={output.thumbnail_url === null ? undefined : nearUrl(output.thumbnail_url)}
              controls
              loop
              autoPlay
              muted
              playsInline
              aria-label={texts.film(prompt)}
            />
          ) : (
            <img
              src={nearUrl(output.url)}
              width={width}
              height={height}
              alt={texts.alt(prompt)}
              {...dragTask(task.task_id)}
            />
          )}
          {output.tiles === 4 && <TileFollowUps task={task} ordering={ordering} />}
          {task.type === 'image' && <LargePicture source={nearUrl(output.url)} alt={texts.alt(prompt)} />}
        </div>
        <figcaption className={classes.caption}>
          <Text lineClamp={2} dir="auto">
            {prompt}
          </Text>
          <Hint className="figures">
            {factsOf(task).join(' · ')}
            {task.mode === 'test' && (
              <Badge size="xs" variant="default" ml={8}>
                {texts.test}
              </Badge>
            )}
          </Hint>
          <Understood output={output} />
        </figcaption>
      </figure>
      <div className={classes.resultTags}>
        <Suspense>
          <TagBar taskId={task.task_id} />
        </Suspense>
      </div>
      <ResultTools task={task} models={models} ordering={ordering} />
      <FollowUps task={task} ordering={ordering} />
    </div>
  );
}

function factsOf(task: StageProps['task']): string[] {
  const output = task.outputs[0];
  const seconds =
    task.started_at === null || task.completed_at === null
      ? null
      : (Date.parse(task.completed_at) - Date.parse(task.started_at)) / 1000;
  return [
    task.model_id,
    output?.width == null ? null : `${output.width} × ${output.height}`,
    output?.duration_seconds == null ? null : `${formatCount(Number(output.duration_seconds.toFixed(1)))} s`,
    output?.seed == null ? null : `${texts.seed} ${output.seed}`,
    seconds === null ? null : texts.made(formatDecimal(seconds, seconds < 10 ? 1 : 0)),
    formatMoney(task.cost.amount),
  ].filter((fact) => fact !== null);
}
