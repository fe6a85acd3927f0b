import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useDeed } from '../api/use-deed.ts';
import { frameTexts } from '../texts/frame.ts';
import { PlainButton } from './buttons.ts';
import { useCloseDialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

/** What a dialog asks before a deed. Does the deed, tells why it failed, and closes the dialog when it is done. */
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
  /** Whether what was typed is accepted, asked when it is submitted. */
  readonly check?: () => boolean;
  /** Called when it is done; false keeps the dialog open. */
  readonly onDone?: (answer: Answer) => unknown;
  readonly submit: string;
  /** The label of the button that closes the dialog. */
  readonly keep?: string;
  /** The title if it was not done: `The key was not changed`. */
  readonly failed?: string;
  /** Whether it can be submitted. */
  readonly isReady?: boolean;
  /** Whether it cannot be undone. */
  readonly isGrave?: boolean;
  /** A button at the beginning of their line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const close = useCloseDialog();
  const deed = useDeed(act, (answer) => {
    if (onDone?.(answer) !== false) close();
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && check()) deed.mutate();
  };
  return (
    <form onSubmit={send}>
      <Stack>
        {children}
        <ErrorNote title={failed} error={deed.error} />
        <Group justify="flex-end">
          {aside}
          <PlainButton onClick={close}>{keep}</PlainButton>
          <Button type="submit" loading={deed.isPending} disabled={!isReady} {...(isGrave ? { color: 'red' } : {})}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
