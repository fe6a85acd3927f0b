import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call, refusedKeyStore } from '../api/client.ts';
import { type KeyKind, kindOfKey, signIn, useSession } from '../api/session.ts';
import { frameTexts } from '../texts/frame.ts';
import { Agreement } from './inputs.tsx';

/** Asks for a key, tests it, and signs in with it. */
export function KeyForm({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const { remembered } = useSession();
  const [key, setKey] = useState('');
  const [remember, setRemember] = useState(remembered);
  const enter = useMutation({
    mutationFn: async (secret: string) => {
      const kind = kindOfKey(secret);
      if (kind === null)
        throw new Error(
          'This is not a Darkroom key. Keys begin with dk_test_, dk_live_ or dk_admin_. Copy the whole line.',
        );
      await tryOut(secret, kind);
      refusedKeyStore.set(null);
      signIn({ [kind]: secret }, { remember });
      onSignedIn();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter.mutate(key.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <PasswordInput
          label="API key"
          placeholder="dk_test_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={enter.error && messageOf(enter.error)}
          autoComplete="off"
          spellCheck={false}
          size="md"
          data-autofocus
          styles={{ innerInput: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.875rem' } }}
        />
        <Agreement label="Stay signed in on this device" value={remember} onChange={setRemember} />
        <Button type="submit" size="md" loading={enter.isPending}>
          {frameTexts.signIn}
        </Button>
      </Stack>
    </form>
  );
}

async function tryOut(key: string, kind: KeyKind): Promise<void> {
  if (kind === 'admin') await call('GET /admin/v1/engines', {}, { key });
  else await call('GET /v1/account', {}, { key });
}
