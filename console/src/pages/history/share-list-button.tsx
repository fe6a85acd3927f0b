import { Button, Modal } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../components/lazy-part.ts';
import { shareTexts as texts } from '../../texts/shares.ts';
import type { HistoryFilter } from './history-filter.ts';

const ShareList = lazyPart(async () => (await import('./share-list.tsx')).ShareList);

/** Opens the dialog that shares the results of the filtered history. */
export function ShareListButton({ filter }: { readonly filter: HistoryFilter }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconShare size={16} aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {texts.shareList}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={texts.shareList}
        closeButtonProps={{ 'aria-label': texts.close }}
        centered
      >
        <Suspense>
          <ShareList filter={filter} />
        </Suspense>
      </Modal>
    </>
  );
}
