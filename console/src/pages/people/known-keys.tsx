import { Button, Group, Stack, Text } from '@mantine/core';
import { perform, useDeed } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import type { KeySource } from './key-source.ts';

type Key = Pick<DataOf<'POST /v1/account/keys/{key_id}/revoke'>, 'key_id' | 'name' | 'mode'>;

export const ROLE_UNCHANGED = 'It was not changed';

/** A removed member, with the keys that they know. */
export interface Leaver {
  readonly name: string;
  readonly keys: readonly Key[];
}

/** Offers to revoke the keys that a removed member knows; null = nobody was removed. */
export function KnownKeys({
  source,
  of,
  onClose,
}: {
  readonly source: KeySource;
  readonly of: Leaver | null;
  readonly onClose: () => void;
}) {
  return (
    <DialogAbout
      about={of !== null && of.keys.length > 0 ? of : null}
      title={({ name }) => `${name} knows API keys`}
      onClose={onClose}
    >
      {({ keys }) => (
        <Stack>
          <Text size="sm">
            They were shown the secrets of these keys, which go on working. Rotate or revoke them if programs do not
            need them any more. A revoked key cannot be restored, and its orders cannot be read any more.
          </Text>
          {keys.map((key) => (
            <KnownKey key={key.key_id} source={source} known={key} />
          ))}
          <Group justify="flex-end">
            <Button size="xs" onClick={onClose}>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </DialogAbout>
  );
}

function KnownKey({ source, known: { key_id, name, mode } }: { readonly source: KeySource; readonly known: Key }) {
  const title = `Revoke the key ${name}`;
  const revoke = useDeed(() => perform(source.revoke, { path: { key_id } }, title));
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm">
          {name} ({mode})
        </Text>
        <SmallButton
          aria-label={title}
          disabled={revoke.isSuccess}
          loading={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          {revoke.isSuccess ? 'Revoked' : 'Revoke'}
        </SmallButton>
      </Group>
      <ErrorNote title="The key was not revoked" error={revoke.error} />
    </Stack>
  );
}
