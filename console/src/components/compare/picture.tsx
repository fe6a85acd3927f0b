import type { TaskView as Task } from '@darkroom-service/contract';
import { nearUrl } from '../../api/service-url.ts';
import classes from './picture.module.css';

/** The result of a task. The thumbnail is shown until the whole file is loaded. Films are muted. */
export function Picture({
  task,
  alt,
  full = true,
}: {
  readonly task: Task;
  readonly alt: string;
  readonly full?: boolean;
}) {
  const output = task.outputs[0];
  if (output === undefined) return null;
  const thumbnail = output.thumbnail_url === null ? undefined : nearUrl(output.thumbnail_url);
  if (task.type === 'video')
    return (
      <video
        className={classes.picture}
        src={nearUrl(output.url)}
        {...(thumbnail === undefined ? {} : { poster: thumbnail })}
        muted
        playsInline
        preload="auto"
        aria-label={alt}
      />
    );
  const file = nearUrl(output.url);
  return (
    <>
      {thumbnail !== undefined && (
        <img className={classes.picture} src={thumbnail} alt={full ? '' : alt} draggable={false} decoding="async" />
      )}
      {(full || thumbnail === undefined) && (
        <img className={classes.picture} src={file} alt={alt} draggable={false} decoding="async" />
      )}
    </>
  );
}

/** Returns the aspect ratio of the result, or of the order, as a CSS value. */
export function aspectOf(task: Task | undefined): string | null {
  const output = task?.outputs[0];
  if (output?.width != null && output.height != null) return `${output.width} / ${output.height}`;
  const ratio = /^(\d+):(\d+)$/.exec(String(task?.input.aspect_ratio ?? ''));
  return ratio === null ? null : `${ratio[1]} / ${ratio[2]}`;
}
