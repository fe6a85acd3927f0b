import { Button, type ButtonProps, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { createContext, type FormEvent, type ReactNode, Suspense, useContext, useEffect, useState } from 'react';
import { useDeed } from '../api/deeds.ts';
import { frameTexts } from '../texts/frame.ts';
import { PlainButton } from './buttons.ts';
import { ErrorNote } from './error-note.tsx';

type DialogProps = Pick<ModalProps, 'onClose' | 'size' | 'fullScreen' | 'radius' | 'classNames' | 'centered'>;

const CloseDialog = createContext(() => {});

/** Returns the function that closes the surrounding dialog. */
export function useCloseDialog(): () => void {
  return useContext(CloseDialog);
}

/** An open dialog with a title and a close button. On closing, the previously focused element gets the focus again. */
export function Dialog(
  props: DialogProps & Pick<ModalProps, 'title' | 'children' | 'withCloseButton' | 'padding' | 'yOffset'>,
) {
  const [opener] = useState(focused);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
  return <Modal {...props} opened />;
}

/** Returns the focused element; for an item of a menu, which disappears with the menu, the button that opened it. */
function focused(): HTMLElement | null {
  const menu = document.activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = menu == null ? document.activeElement : document.getElementById(menu);
  return opener instanceof HTMLElement ? opener : null;
}

/** A dialog about a value, open unless that is null. Its content starts anew each time. */
export function DialogAbout<T>({
  about,
  title,
  children,
  ...props
}: DialogProps & {
  readonly about: T | null;
  readonly title: (about: T) => string;
  readonly children: (about: T) => ReactNode;
}) {
  return (
    <Modal {...props} opened={about !== null} title={about !== null && title(about)}>
      <CloseDialog value={props.onClose}>{about !== null && children(about)}</CloseDialog>
    </Modal>
  );
}

/** A button that opens a dialog. The dialog's content starts anew each time. */
export function DialogButton({
  word,
  title,
  children,
  ...props
}: Pick<ButtonProps, 'c' | 'className' | 'disabled' | 'leftSection' | 'size'> & {
  readonly word: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PlainButton {...props} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {word}
      </PlainButton>
      <DialogAbout about={isOpen ? title : null} title={(about) => about} onClose={() => setOpen(false)}>
        {() => <Suspense>{children}</Suspense>}
      </DialogAbout>
    </>
  );
}

/** The form of a dialog that asks before a deed. Does the deed, shows an error, and closes the dialog afterwards. */
export function DeedForm<Answer>({
  act,
  check = () => true,
  onDone,
  submit,
  keep = frameTexts.cancel,
  failed = frameTexts.failed,
  isReady = true,
  isGrave = false,
  aside,
  children,
}: {
  readonly act: () => Promise<Answer>;
  /** Tells on submit whether the input is accepted. */
  readonly check?: () => boolean;
  /** Called after the deed; false keeps the dialog open. */
  readonly onDone?: (answer: Answer) => unknown;
  readonly submit: string;
  /** The label of the button that closes the dialog. */
  readonly keep?: string;
  /** Title of an error: `The key was not changed`. */
  readonly failed?: string;
  /** Whether the form can be submitted. */
  readonly isReady?: boolean;
  /** Whether the deed cannot be undone. */
  readonly isGrave?: boolean;
  /** A button at the beginning of the buttons' line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const close = useCloseDialog();
  const action = useDeed(act, (answer) => {
    if (onDone?.(answer) !== false) close();
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && check()) action.mutate();
  };
  return (
    <form onSubmit={send}>
      <Stack>
        {children}
        <ErrorNote title={failed} error={action.error} />
        <Group justify="flex-end">
          {aside}
          <PlainButton onClick={close}>{keep}</PlainButton>
          <Button type="submit" loading={action.isPending} disabled={!isReady} {...(isGrave ? { color: 'red' } : {})}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
