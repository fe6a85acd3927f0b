import type { TaskView as Task } from '@darkroom-service/contract';
import { IconShare } from '@tabler/icons-react';
import { formatCount } from '../format.ts';
import { DialogButton } from './dialog.tsx';
import { lazyPart } from './lazy-part.ts';

/** A button and the dialog that it opens, for links to results. */
export function ShareDialog({
  children,
  ...props
}: Pick<Parameters<typeof DialogButton>[0], 'word' | 'title' | 'className' | 'children'>) {
  return (
    <DialogButton {...props} leftSection={<IconShare size={16} aria-hidden="true" />}>
      {children}
    </DialogButton>
  );
}

/** Opens the dialog with the links to a result. */
export function ShareButton({ task }: { readonly task: Pick<Task, 'task_id' | 'type' | 'expires_at'> }) {
  return (
    <ShareDialog word="Share" title={task.type === 'image' ? 'Share this image' : 'Share this video'}>
      <ShareLinks tasks={[task]} />
    </ShareDialog>
  );
}

/** `ShareLinks`, loaded when it is first shown. */
export const ShareLinks = lazyPart(async () => (await import('./share-links.tsx')).ShareLinks);

/** Maximum number of tasks that one link shows. */
export const MOST_SHARED = 200;
export const ONLY_NEWEST = `A link shows at most ${formatCount(MOST_SHARED)} results. Those are the newest ones.`;
