import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { teamTexts } from '../../texts/team.ts';

type Key = Pick<DataOf<'POST /v1/account/keys/{key_id}/revoke'>, 'key_id' | 'name' | 'mode'>;
const texts = teamTexts.knownKeys;

/** Somebody who was removed, and the keys that they know. */
export interface KeysOfLeaver {
  readonly name: string;
  readonly keys: readonly Key[];
}

/** Offers to revoke the keys that a removed member knows; null = nobody was removed. */
export function KnownKeys({ of, onClose }: { readonly of: KeysOfLeaver | null; readonly onClose: () => void }) {
  return (
    <DialogAbout about={of} title={({ name }) => texts.title(name)} onClose={onClose}>
      {({ keys }) => (
        <Stack>
          <Text size="sm">{texts.text}</Text>
          {keys.map((key) => (
            <KnownKey key={key.key_id} known={key} />
          ))}
          <Group justify="flex-end">
            <Button size="xs" onClick={onClose}>
              {texts.done}
            </Button>
          </Group>
        </Stack>
      )}
    </DialogAbout>
  );
}

function KnownKey({ known: { key_id, name, mode } }: { readonly known: Key }) {
  const revoke = useMutation({
    mutationFn: () => perform('POST /v1/account/keys/{key_id}/revoke', { path: { key_id } }, texts.revokeOf(name)),
  });
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm">
          {name} ({mode})
        </Text>
        <SmallButton
          aria-label={texts.revokeOf(name)}
          disabled={revoke.isSuccess}
          loading={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          {revoke.isSuccess ? texts.revoked : texts.revoke}
        </SmallButton>
      </Group>
      {revoke.error !== null && <ErrorNote title={texts.failed} unknown={texts.unknown} error={revoke.error} />}
    </Stack>
  );
}
