import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Anchor, Group } from '@mantine/core';
import { Link } from 'wouter';
import { useFreshTask } from '../../api/follow-task.ts';
import { nearUrl } from '../../api/service-url.ts';
import { isFinal } from '../../api/task-cache.ts';
import { dragTask, NOT_DRAGGABLE } from '../../components/dragged.ts';
import { Hint } from '../../components/words.ts';
import { studioTexts } from '../../texts/studio.ts';
import classes from './recent-strip.module.css';
import { useRecent } from './recent-tasks.ts';

/** The latest images and videos of this key, newest first. */
export function RecentStrip({ current }: { readonly current: string | null }) {
  const { tasks, isPending } = useRecent();
  return (
    <nav className={classes.recent} aria-label={studioTexts.recent}>
      <Group justify="space-between" mb={8}>
        <Hint>{studioTexts.recent}</Hint>
        <Anchor component={Link} href="/history" size="sm">
          {studioTexts.all}
        </Anchor>
      </Group>
      <div className={classes.strip}>
        {tasks.length === 0 && <Hint className={classes.empty ?? ''}>{isPending ? '' : studioTexts.recentEmpty}</Hint>}
        {tasks.map((task) => (
          <RecentTask key={task.task_id} listed={task} isCurrent={task.task_id === current} />
        ))}
      </div>
    </nav>
  );
}

function RecentTask({ listed, isCurrent }: { readonly listed: Task; readonly isCurrent: boolean }) {
  const task = useFreshTask(listed);
  return (
    <Link
      href={`/t/${task.task_id}`}
      className={classes.frame ?? ''}
      {...(task.outputs.length === 0 ? NOT_DRAGGABLE : dragTask(task.task_id))}
      aria-current={isCurrent ? 'true' : undefined}
      aria-label={`${studioTexts.status[task.status]}: ${String(task.input.prompt ?? task.model_id)}`}
    >
      <Picture task={task} />
    </Link>
  );
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
