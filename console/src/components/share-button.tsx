import type { TaskView as Task } from '@darkroom-service/contract/task';
import { shareTexts as texts } from '../texts/shares.ts';
import { ShareLinks } from './lazy-share-links.ts';
import { ShareDialog } from './share-dialog.tsx';

/** Opens the dialog with the links to a result. */
export function ShareButton({ task }: { readonly task: Pick<Task, 'task_id' | 'type' | 'expires_at'> }) {
  return (
    <ShareDialog label="Share" title={texts.titles[task.type]}>
      <ShareLinks tasks={[task]} />
    </ShareDialog>
  );
}
