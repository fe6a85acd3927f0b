import type { TaskView as Task } from '@darkroom-service/contract';
import type { ComponentProps } from 'react';
import { nearUrl } from '../api/service-url.ts';

/** The result of a task in full: a picture, or a video that plays in a loop. */
export function ResultMedia({
  task,
  alt,
  film,
  picture,
  ...props
}: Pick<ComponentProps<'img'>, 'className' | 'style'> & {
  readonly task: Task;
  readonly alt: string;
  readonly film?: ComponentProps<'video'>;
  readonly picture?: ComponentProps<'img'>;
}) {
  const [output] = task.outputs;
  if (output === undefined) return null;
  const source = nearUrl(output.url);
  if (task.type === 'image') return <img {...props} {...picture} src={source} alt={alt} />;
  const poster = output.thumbnail_url === null ? {} : { poster: nearUrl(output.thumbnail_url) };
  return <video {...props} {...poster} {...film} src={source} loop muted playsInline aria-label={alt} />;
}
