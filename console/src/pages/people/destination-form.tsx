import { Group, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useDeed } from '../../api/use-deed.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Agreement } from '../../components/toggle.tsx';
import { developerTexts } from '../../texts/developers.ts';

const texts = developerTexts.destinations;
const FIELDS = ['bucket', 'region', 'endpoint', 'path', 'access_key_id', 'secret_access_key'] as const;
export type Destination = DataOf<'GET /v1/destinations'>['items'][number];
type Field = (typeof FIELDS)[number];
const OPTIONAL: readonly Field[] = ['region', 'endpoint', 'path'];

/** Sets a destination with its credentials, which the service does not show again. */
export function DestinationForm({
  destination,
  live,
  onClose,
}: {
  readonly destination: Destination | null;
  /** The key that may set it. */
  readonly live: string;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(destination?.name ?? '');
  const [values, setValues] = useState<Readonly<Record<Field, string>>>({
    bucket: destination?.bucket ?? '',
    region: destination?.region ?? '',
    endpoint: destination?.endpoint ?? '',
    path: destination?.path ?? '',
    access_key_id: '',
    secret_access_key: '',
  });
  const [isDefault, setDefault] = useState(destination?.default ?? false);
  const save = useDeed(() => {
    const { bucket, access_key_id, secret_access_key, ...optional } = values;
    const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== ''));
    const body = { ...given, bucket, access_key_id, secret_access_key, default: isDefault };
    return perform('PUT /v1/destinations/{name}', { path: { name }, body }, texts.add, { key: live });
  }, onClose);
  const isReady = name !== '' && FIELDS.every((field) => OPTIONAL.includes(field) || values[field] !== '');
  const fieldOf = (field: Field) => ({
    label: texts.fields[field],
    value: values[field],
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [field]: currentTarget.value.trim() }),
  });
  return (
    <DialogForm deed={save} texts={texts} isReady={isReady} onClose={onClose}>
      <Group grow align="flex-start">
        <TextInput
          label={texts.heads.name}
          placeholder="archive"
          maxLength={40}
          readOnly={destination !== null}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value.trim())}
          data-autofocus
        />
        <TextInput {...fieldOf('bucket')} maxLength={63} />
      </Group>
      <Group grow align="flex-start">
        <TextInput {...fieldOf('region')} placeholder="eu-central-1" maxLength={40} />
        <TextInput {...fieldOf('endpoint')} placeholder="https://" maxLength={255} />
      </Group>
      <TextInput {...fieldOf('path')} placeholder="{date}/{task_id}-{n}.{ext}" maxLength={200} />
      <Group grow align="flex-start">
        <TextInput {...fieldOf('access_key_id')} autoComplete="off" maxLength={128} />
        <PasswordInput {...fieldOf('secret_access_key')} autoComplete="off" maxLength={1024} />
      </Group>
      <Agreement label="Live orders without deliver_to go there" isOn={isDefault} onChange={setDefault} />
    </DialogForm>
  );
}
