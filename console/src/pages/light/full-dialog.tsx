import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { frameTexts } from '../../texts/frame.ts';
import classes from './compare.module.css';

/** A dialog that fills the window. */
export function FullDialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      radius={0}
      title={title}
      closeButtonProps={{ 'aria-label': frameTexts.close }}
      classNames={{ body: classes.body ?? '' }}
    >
      {children}
    </Modal>
  );
}
