import { Group, Select, TextInput } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';

/** Whose data an export or an erasure is about. */
export interface Subject {
  readonly account: string | null;
  /** Empty: the whole account. */
  readonly endUser: string;
}

export const NOBODY: Subject = { account: null, endUser: '' };

/** The subject as the interface names it. */
export function bodyOf({ account, endUser }: Subject) {
  return { account_id: account ?? '', ...(endUser === '' ? {} : { end_user: endUser }) };
}

export function SubjectFields({
  subject,
  onChange,
}: {
  readonly subject: Subject;
  readonly onChange: (subject: Subject) => void;
}) {
  const accounts = useApi('GET /admin/v1/accounts', {});
  return (
    <Group grow align="flex-start" maw={640}>
      <Select
        label="Account"
        searchable
        value={subject.account}
        onChange={(account) => onChange({ ...subject, account })}
        data={accounts.data?.items.map(({ account_id, name }) => ({ value: account_id, label: name })) ?? []}
      />
      <TextInput
        label="End user"
        placeholder="The whole account"
        maxLength={128}
        value={subject.endUser}
        onChange={({ currentTarget }) => onChange({ ...subject, endUser: currentTarget.value })}
      />
    </Group>
  );
}
