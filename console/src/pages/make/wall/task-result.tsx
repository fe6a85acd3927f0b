import type { TaskView as Task } from '@darkroom-service/contract/task';
import { RingProgress } from '@mantine/core';
import { nearUrl } from '../../../api/service-url.ts';
import { LargePicture } from '../../../components/large-picture.tsx';
import { altOf } from '../../../components/task-facts.ts';
import classes from './detail.module.css';

/** The image or video, large; before that its progress. Empty if there will be no result. */
export function TaskResult({ task }: { readonly task: Task }) {
  const [output] = task.outputs;
  if (output !== undefined) {
    const source = nearUrl(output.url);
    // Reserves the space before the file is loaded.
    const style = { aspectRatio: `${output.width ?? 1} / ${output.height ?? 1}` };
    return (
      <div className={classes.tray}>
        {task.type === 'video' ? (
          <video
            className={classes.media}
            style={style}
            src={source}
            controls
            loop
            muted
            playsInline
            aria-label={altOf(task)}
            poster={output.thumbnail_url === null ? undefined : nearUrl(output.thumbnail_url)}
          />
        ) : (
          <img className={classes.media} style={style} src={source} alt={altOf(task)} />
        )}
        {task.type === 'image' && <LargePicture source={source} alt={altOf(task)} />}
      </div>
    );
  }
  if (task.status === 'queued' || task.status === 'processing') {
    return (
      <div className={`${classes.tray} ${classes.pending}`} role="status">
        <RingProgress
          size={84}
          thickness={6}
          roundCaps
          aria-hidden="true"
          sections={[{ value: task.progress, color: 'var(--accent)' }]}
        />
        {task.status === 'queued' ? 'Waiting in the queue' : `Processing: ${Math.round(task.progress)} %`}
      </div>
    );
  }
  return null;
}
