import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** Asks before something is done that cannot be undone. */
export function ConfirmModal({
  opened,
  texts,
  isBusy,
  isDisabled = false,
  onClose,
  onConfirm,
  children,
}: {
  readonly opened: boolean;
  readonly texts: {
    readonly title: string;
    /** The label of the cross. */
    readonly close: string;
    readonly keep: string;
    readonly confirm: string;
  };
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** The question, with what it costs, and the error of an attempt. */
  readonly children: ReactNode;
}) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.title}
      closeButtonProps={{ 'aria-label': texts.close }}
      centered
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.keep}
          </Button>
          <Button color="red" loading={isBusy} disabled={isDisabled} onClick={onConfirm}>
            {texts.confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
