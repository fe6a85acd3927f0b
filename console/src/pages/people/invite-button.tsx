import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { Role } from '../../api/person.ts';
import { useDeed } from '../../api/use-deed.ts';
import { PlainButton } from '../../components/buttons.ts';
import { CopyTextButton } from '../../components/copy-action.tsx';
import { DialogAbout } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { teamTexts } from '../../texts/team.ts';

const texts = teamTexts.invite;
const ACCOUNT_ROLES = ['viewer', 'finance', 'creator', 'manager'] as const;
const OPERATOR_ROLES = ['operator', 'owner'] as const;

/** Makes the link of an invitation, and shows it once. @param props.to the account in use, or any and the operators */
export function InviteButton({ to }: { readonly to: 'account' | 'anywhere' }) {
  const [asked, setAsked] = useState<typeof to | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <PlainButton onClick={() => setAsked(to)}>Invite</PlainButton>
      <DialogAbout about={asked} title={() => texts.title} onClose={close}>
        {(wish) => <InviteForm to={wish} onClose={close} />}
      </DialogAbout>
    </>
  );
}

function InviteForm({ to, onClose }: { readonly to: 'account' | 'anywhere'; readonly onClose: () => void }) {
  const [account, setAccount] = useState('');
  const [email, setEmail] = useState('');
  const toOperators = to === 'anywhere' && account.trim() === '';
  const roles: readonly Role[] = toOperators ? OPERATOR_ROLES : ACCOUNT_ROLES;
  const [chosen, setRole] = useState<Role>(roles[0] ?? 'viewer');
  const role = roles.includes(chosen) ? chosen : (roles[0] ?? 'viewer');
  const invite = useDeed(async () => {
    const address = email.trim() === '' ? {} : { email: email.trim() };
    if (to === 'account') {
      const body = { role: role as (typeof ACCOUNT_ROLES)[number], ...address };
      return await perform('POST /v1/account/invitations', { body }, texts.title);
    }
    const body = { account_id: toOperators ? null : account.trim(), role, ...address };
    return await perform('POST /admin/v1/invitations', { body }, texts.title);
  });
  if (invite.data !== undefined) return <NewLink url={invite.data.url} onClose={onClose} />;
  return (
    <DialogForm deed={invite} texts={texts} onClose={onClose}>
      {to === 'anywhere' && (
        <TextInput
          label="Account"
          description="Empty: to the operators"
          value={account}
          maxLength={64}
          onChange={(event) => setAccount(event.currentTarget.value)}
        />
      )}
      <Select
        label="Role"
        data={roles.map((value) => ({ value, label: teamTexts.roles[value] }))}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(value as Role)}
      />
      <TextInput
        type="email"
        label="Email address"
        description="Only a person with this address can accept. Empty: whoever has the link."
        value={email}
        maxLength={200}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

function NewLink({ url, onClose }: { readonly url: string | null; readonly onClose: () => void }) {
  return (
    <Stack>
      {url === null ? (
        <Alert color="yellow" variant="light">
          The invitation was made before, and its link was shown only then. Withdraw it below and invite again.
        </Alert>
      ) : (
        <>
          <Text size="sm">Copy it now: it is shown once. It works once, within seven days.</Text>
          <TextInput
            aria-label="Link of the invitation"
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
        </>
      )}
      <Group justify="flex-end">
        {url !== null && <CopyTextButton value={url} label="Copy the link" />}
        <Button size="xs" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
