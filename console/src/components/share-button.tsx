import { Button, Modal } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { Task } from '../api/types.ts';
import { shareTexts as texts } from '../texts/shares.ts';
import { lazyPart } from './lazy-part.ts';

const ShareLinks = lazyPart(async () => (await import('./share-links.tsx')).ShareLinks);

/** Opens the dialog with the links to a result. */
export function ShareButton({ task }: { readonly task: Pick<Task, 'task_id' | 'type' | 'expires_at'> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconShare size={16} aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {texts.share}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={texts.titles[task.type]}
        closeButtonProps={{ 'aria-label': texts.close }}
        centered
      >
        <Suspense>
          <ShareLinks tasks={[task]} />
        </Suspense>
      </Modal>
    </>
  );
}
