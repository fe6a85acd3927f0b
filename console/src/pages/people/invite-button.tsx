import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { Role } from '../../api/person.ts';
import { CopyField } from '../../components/copy-action.tsx';
import { DeedForm, DialogButton, useCloseDialog } from '../../components/dialog.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { inWords } from '../../texts/in-words.ts';

const TITLE = 'Invite somebody';
export const ACCOUNT_ROLES = ['viewer', 'finance', 'creator', 'manager'] as const;
const OPERATOR_ROLES = ['operator', 'owner'] as const;
type To = 'account' | 'anywhere';

/**
 * Creates the link of an invitation, and shows it once. @param props.to the account in use, or any account and the
 * operators
 */
export function InviteButton({ to }: { readonly to: To }) {
  return (
    <DialogButton word="Invite" title={TITLE}>
      <InviteForm to={to} />
    </DialogButton>
  );
}

/** Returns the choices for roles. */
export function choicesOf<R extends Role>(roles: readonly R[]) {
  return roles.map((value) => ({ value, label: inWords(value) }));
}

function InviteForm({ to }: { readonly to: To }) {
  const { draft, field } = useDraft({ account: '', role: null as Role | null, email: '' });
  const [made, setMade] = useState<{ readonly url: string | null } | null>(null);
  const account = draft.account.trim();
  const toOperators = to === 'anywhere' && account === '';
  const roles: readonly Role[] = toOperators ? OPERATOR_ROLES : ACCOUNT_ROLES;
  const role = roles.find((one) => one === draft.role) ?? (toOperators ? 'operator' : 'viewer');
  const invite = async () => {
    const email = draft.email.trim();
    const address = email === '' ? {} : { email };
    if (to === 'account') {
      const body = { role: role as (typeof ACCOUNT_ROLES)[number], ...address };
      return await perform('POST /v1/account/invitations', { body }, TITLE);
    }
    const body = { account_id: toOperators ? null : account, role, ...address };
    return await perform('POST /admin/v1/invitations', { body }, TITLE);
  };
  if (made !== null) return <NewLink url={made.url} />;
  return (
    <DeedForm
      act={invite}
      onDone={(answer) => {
        setMade(answer);
        return false;
      }}
      submit="Create the link"
      failed="The invitation was not made"
    >
      {to === 'anywhere' && (
        <TextInput label="Account" description="Empty: to the operators" maxLength={64} {...field('account')} />
      )}
      <Select label="Role" data={choicesOf(roles)} allowDeselect={false} {...field('role')} value={role} />
      <TextInput
        type="email"
        label="Email address"
        description="Only a person with this address can accept. Empty: whoever has the link."
        maxLength={200}
        {...field('email')}
      />
    </DeedForm>
  );
}

function NewLink({ url }: { readonly url: string | null }) {
  return (
    <Stack>
      {url === null ? (
        <Alert color="yellow" variant="light">
          The invitation was made before, and its link was shown only then. Withdraw it below and invite again.
        </Alert>
      ) : (
        <>
          <Text size="sm">Copy it now: it is shown once. It works once, within seven days.</Text>
          <CopyField name="Link of the invitation" value={url} label="Copy the link" />
        </>
      )}
      <Group justify="flex-end">
        <Button size="xs" onClick={useCloseDialog()}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
