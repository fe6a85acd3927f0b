import { Button, Modal } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { shareTexts as texts } from '../texts/shares.ts';

/** A button and the dialog that it opens, for links to results. Its content is mounted while it is open. */
export function ShareDialog({
  label,
  title,
  className = '',
  children,
}: {
  readonly label: string;
  readonly title: string;
  /** Of the button. */
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        className={className}
        leftSection={<IconShare size={16} aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        closeButtonProps={{ 'aria-label': texts.close }}
        centered
      >
        <Suspense>{children}</Suspense>
      </Modal>
    </>
  );
}
