import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { CopyTextButton } from '../../../components/copy-action.tsx';
import { keysTexts } from '../../../texts/keys.ts';

const texts = keysTexts.secret;

/** Shows a new secret, once. Only its button closes it, not Escape and not a click outside. */
export function SecretModal({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={texts.title}
      centered
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">{texts.text}</Text>
        <TextInput
          aria-label={texts.label}
          readOnly
          value={secret ?? ''}
          onFocus={(event) => event.currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group justify="flex-end">
          <CopyTextButton value={secret ?? ''} label={texts.copy} />
          <Button size="xs" onClick={onClose}>
            {texts.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
