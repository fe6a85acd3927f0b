import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.ts';

/** Copies a text; the label says which. */
export function CopyAction({ value, label = frameTexts.copy }: { readonly value: string; readonly label?: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? frameTexts.copied : label}>
          <ActionIcon onClick={copy} aria-label={copied ? frameTexts.copied : label}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** The same as a button with its label. */
export function CopyTextButton({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          onClick={copy}
          variant="default"
          size="xs"
          leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        >
          {copied ? frameTexts.copied : label}
        </Button>
      )}
    </CopyButton>
  );
}
