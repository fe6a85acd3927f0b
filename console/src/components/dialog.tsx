import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';

type Look = Pick<ModalProps, 'onClose' | 'size' | 'fullScreen' | 'radius' | 'classNames' | 'centered'>;

/** An open dialog with a title and a button that closes it. */
export function Dialog(props: Look & Pick<ModalProps, 'title' | 'children'>) {
  return <Modal {...props} opened />;
}

/** A dialog about something, open while there is that. What it holds begins anew each time. */
export function DialogAbout<T>({
  about,
  title,
  children,
  ...look
}: Look & {
  readonly about: T | null;
  readonly title: (about: T) => string;
  readonly children: (about: T) => ReactNode;
}) {
  return (
    <Modal {...look} opened={about !== null} title={about !== null && title(about)}>
      {about !== null && children(about)}
    </Modal>
  );
}
