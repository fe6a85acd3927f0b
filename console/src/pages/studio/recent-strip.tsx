import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { isFinal } from '../../api/follow-task.ts';
import { nearUrl } from '../../api/service-url.ts';
import type { Task } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { dragTask, NOT_DRAGGABLE } from '../../components/dragged.ts';
import { studioTexts } from '../../texts/studio.ts';
import classes from './recent-strip.module.css';

const SHOWN = 14;
const ASK_AGAIN_MS = 3_000;

/** The latest images and videos of this key, newest first. */
export function RecentStrip({ current }: { readonly current: string | null }) {
  const images = useApi('GET /v1/images', { query: { limit: SHOWN } }, { keep: true, every: whileRunning });
  const videos = useApi('GET /v1/videos', { query: { limit: SHOWN } }, { keep: true, every: whileRunning });
  const tasks = [...(images.data?.items ?? []), ...(videos.data?.items ?? [])]
    .sort((left, right) => right.created_at.localeCompare(left.created_at))
    .slice(0, SHOWN);
  return (
    <nav className={classes.recent} aria-label={studioTexts.recent}>
      <Group justify="space-between" mb={8}>
        <Text size="sm" c="dimmed">
          {studioTexts.recent}
        </Text>
        <Anchor component={Link} href="/history" size="sm">
          {studioTexts.all}
        </Anchor>
      </Group>
      <div className={classes.strip}>
        {tasks.length === 0 && (
          <Text size="sm" c="dimmed" className={classes.empty ?? ''}>
            {images.isPending || videos.isPending ? '' : studioTexts.recentEmpty}
          </Text>
        )}
        {tasks.map((task) => (
          <Link
            key={task.task_id}
            href={`/t/${task.task_id}`}
            className={classes.frame ?? ''}
            {...(task.outputs.length === 0 ? NOT_DRAGGABLE : dragTask(task.task_id))}
            aria-current={task.task_id === current ? 'true' : undefined}
            aria-label={`${studioTexts.status[task.status]}: ${String(task.input.prompt ?? task.model_id)}`}
          >
            <Picture task={task} />
          </Link>
        ))}
      </div>
    </nav>
  );
}

/** Polls a running task until it is final. */
function whileRunning(data: { readonly items: readonly Task[] } | undefined): number | false {
  return data?.items.some((task) => !isFinal(task)) === true ? ASK_AGAIN_MS : false;
}

function Picture({ task }: { readonly task: Task }) {
  const thumbnail = task.outputs[0]?.thumbnail_url ?? null;
  if (thumbnail !== null) return <img src={nearUrl(thumbnail)} alt="" loading="lazy" />;
  return (
    <span className={classes.word} data-running={!isFinal(task) || undefined}>
      {studioTexts.status[task.status]}
    </span>
  );
}
