import type { TaskView as Task } from '@darkroom-service/contract';
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTask } from '../../../api/follow-task.ts';
import { nearUrl } from '../../../api/service-url.ts';
import { useApi } from '../../../api/use-api.ts';
import { promptOf } from '../../../components/task-facts.ts';
import { formatMany } from '../../../format.ts';
import { inWords } from '../../../texts/in-words.ts';
import { actionLabel } from '../../../texts/studio-labels.ts';
import classes from './detail.module.css';

const MOST_CHILDREN = 100;

/** The parent and the follow-ups of a task, and the tasks that it waits for. Empty if there are none. */
export function TaskFamily({ task }: { readonly task: Task }) {
  const parent = useTask(task.parent_task_id).data;
  const followed = useApi(
    'GET /v1/images',
    { query: { parent_task_id: task.task_id, limit: MOST_CHILDREN } },
    { enabled: task.type === 'image' },
  );
  const children = followed.data?.items ?? [];
  const awaited = task.waiting_for ?? [];
  if (parent === undefined && children.length === 0 && awaited.length === 0) return null;
  return (
    <Section title="Source and follow-ups">
      <div className={classes.family}>
        {parent !== undefined && (
          <figure>
            <figcaption>Made from</figcaption>
            <Relative task={parent} />
          </figure>
        )}
        {awaited.length > 0 && (
          <figure>
            <figcaption>Waits for</figcaption>
            <Group gap={10}>
              {awaited.map((taskId) => (
                <AwaitedTask key={taskId} taskId={taskId} />
              ))}
            </Group>
          </figure>
        )}
        {children.length > 0 && (
          <figure>
            <figcaption>{formatMany(children.length, 'follow-up')}</figcaption>
            <Group gap={10}>
              {children.map((child) => (
                <Relative key={child.task_id} task={child} />
              ))}
            </Group>
          </figure>
        )}
      </div>
    </Section>
  );
}

function AwaitedTask({ taskId }: { readonly taskId: string }) {
  const { data: task } = useTask(taskId);
  return task === undefined ? null : <Relative task={task} />;
}

function Relative({ task }: { readonly task: Task }) {
  const thumbnail = task.outputs[0]?.thumbnail_url ?? null;
  const name = task.action === null ? promptOf(task) : actionLabel(task.action);
  return (
    <Link href={`/history/${task.task_id}`} className={classes.relative ?? ''}>
      <span className={classes.relativeFace}>
        {thumbnail === null ? inWords(task.status) : <img src={nearUrl(thumbnail)} alt="" loading="lazy" />}
      </span>
      <span className="truncate">{name}</span>
    </Link>
  );
}

/** A section of a task's details. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className={classes.heading}>{title}</h3>
      {children}
    </section>
  );
}
