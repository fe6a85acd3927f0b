import type { ReactNode } from 'react';
import { Dialog } from '../dialog.tsx';
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
    <Dialog
      onClose={onClose}
      fullScreen
      radius={0}
      title={title}
      classNames={{ body: classes.body ?? '' }}
      centered={false}
    >
      {children}
    </Dialog>
  );
}
