import { type ButtonProps, Modal, type ModalProps } from '@mantine/core';
import { createContext, type ReactNode, Suspense, useContext, useEffect, useState } from 'react';
import { PlainButton } from './buttons.ts';

type Look = Pick<ModalProps, 'onClose' | 'size' | 'fullScreen' | 'radius' | 'classNames' | 'centered'>;

const CloseDialog = createContext(() => {});

/** Returns what closes the dialog around it. */
export function useCloseDialog(): () => void {
  return useContext(CloseDialog);
}

/** An open dialog with a title and a button that closes it. When it closes, what had the focus before has it again. */
export function Dialog(
  props: Look & Pick<ModalProps, 'title' | 'children' | 'withCloseButton' | 'padding' | 'yOffset'>,
) {
  const [opener] = useState(focused);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
  return <Modal {...props} opened />;
}

/** What has the focus. An item of a menu goes with its menu: in its place the button that opened that. */
function focused(): HTMLElement | null {
  const menu = document.activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = menu == null ? document.activeElement : document.getElementById(menu);
  return opener instanceof HTMLElement ? opener : null;
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
      <CloseDialog value={look.onClose}>{about !== null && children(about)}</CloseDialog>
    </Modal>
  );
}

/** A button that opens a dialog. What that holds begins anew each time. */
export function DialogButton({
  word,
  title,
  children,
  ...look
}: Pick<ButtonProps, 'c' | 'className' | 'disabled' | 'leftSection' | 'size'> & {
  readonly word: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PlainButton {...look} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {word}
      </PlainButton>
      <DialogAbout about={isOpen ? title : null} title={(about) => about} onClose={() => setOpen(false)}>
        {() => <Suspense>{children}</Suspense>}
      </DialogAbout>
    </>
  );
}
