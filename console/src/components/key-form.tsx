import { Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { call, refusedKeyStore } from '../api/client.ts';
import { type KeyKind, kindOfKey, signIn, useSession } from '../api/session.ts';
import { frameTexts } from '../texts/frame.ts';
import { Agreement } from './toggle.tsx';

/** Asks for a key, tests it, and signs in with it. */
export function KeyForm({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const { remembered } = useSession();
  const [key, setKey] = useState('');
  const [remember, setRemember] = useState(remembered);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const texts = frameTexts.signIn;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const secret = key.trim();
    const kind = kindOfKey(secret);
    if (kind === null) return setFault(texts.malformed);
    setBusy(true);
    setFault(null);
    try {
      await tryOut(secret, kind);
      refusedKeyStore.set(null);
      signIn({ [kind]: secret }, { remember });
      onSignedIn();
    } catch (error) {
      setFault(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <PasswordInput
          label={texts.label}
          placeholder={texts.placeholder}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={fault}
          autoComplete="off"
          spellCheck={false}
          size="md"
          data-autofocus
          styles={{ innerInput: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.875rem' } }}
        />
        <Agreement label={texts.remember} isOn={remember} onChange={setRemember} />
        <Button type="submit" size="md" loading={busy}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  );
}

async function tryOut(key: string, kind: KeyKind): Promise<void> {
  if (kind === 'admin') await call('GET /admin/v1/engines', {}, { key });
  else await call('GET /v1/account', {}, { key });
}
