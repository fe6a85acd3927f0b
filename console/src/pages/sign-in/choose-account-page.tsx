import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { chooseAccount, endPersonSession, type Membership } from '../../api/person.ts';
import { SmallButton } from '../../components/buttons.ts';
import { frameTexts } from '../../texts/frame.ts';
import { inWords } from '../../texts/in-words.ts';
import classes from './sign-in.module.css';

const texts = {
  title: 'Which account do you want to work in?',
  account: (name: string, id: string, role: string) => (name === id ? `${id} · ${role}` : `${name} (${id}) · ${role}`),
} as const;

/** Asks a person with several accounts in which one they want to work. */
export function ChooseAccountPage({ accounts }: { readonly accounts: readonly Membership[] }) {
  useEffect(() => {
    document.title = `${texts.title} · ${frameTexts.product}`;
  }, []);
  return (
    <main className={classes.form}>
      <Stack gap="md">
        <Title order={1}>{texts.title}</Title>
        <Text c="dimmed">
          What you order belongs to it, and its other members see it. You can change it later in the menu with your
          name.
        </Text>
        {accounts.map(({ account_id, name, role }) => (
          <Button key={account_id} variant="default" size="md" onClick={() => void chooseAccount(account_id ?? '')}>
            {texts.account(name ?? '', account_id ?? '', inWords(role))}
          </Button>
        ))}
        <SmallButton onClick={() => void endPersonSession()}>{frameTexts.signOut}</SmallButton>
      </Stack>
    </main>
  );
}
