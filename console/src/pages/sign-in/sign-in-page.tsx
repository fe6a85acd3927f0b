import { Alert, Anchor, Button, Code, Collapse, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { redeemSignInLink, refusedKeyStore } from '../../api/client.ts';
import { personStore } from '../../api/person.ts';
import { signIn } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { BrandMark } from '../../components/brand-mark.tsx';
import { KeyForm } from '../../components/key-form.tsx';
import { Hint } from '../../components/words.tsx';
import { frameTexts } from '../../texts/frame.ts';
import classes from './sign-in.module.css';

const KINDS = [
  ['dk_test_', 'tries every model with drawings, at no cost'],
  ['dk_live_', 'orders from the real engines'],
  ['dk_admin_', 'manages accounts, keys and engines'],
] as const;

/** Signs in with a key, or by the link that a first start prints. */
export function SignInPage({ token }: { readonly token: string | undefined }) {
  const [, navigate] = useLocation();
  const [linkFault, setLinkFault] = useState<{ readonly title: string; readonly message: string } | null>(null);
  const refused = useStore(refusedKeyStore);
  const { isEnded } = useStore(personStore);
  const [whereOpen, setWhereOpen] = useState(false);
  const redeemed = useRef(false);

  useEffect(() => {
    document.title = `${frameTexts.signIn} · ${frameTexts.product}`;
    // A link works once, and React runs effects twice in development.
    if (token === undefined || redeemed.current) return;
    redeemed.current = true;
    redeemSignInLink(token).then(
      ({ keys }) => {
        signIn(keys);
        navigate('/', { replace: true });
      },
      (error: unknown) => {
        const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
        setLinkFault({
          title: isRefused
            ? 'This sign-in link is no longer valid'
            : 'It is not known whether this sign-in link is still valid',
          message: messageOf(error),
        });
        navigate('/sign-in', { replace: true });
      },
    );
  }, [token, navigate]);

  return (
    <div className={classes.page}>
      <div className={classes.picture}>
        <div className={classes.name}>
          <BrandMark size={32} />
          {frameTexts.product}
        </div>
        <p className={classes.headline}>Create images and videos from text.</p>
      </div>
      <main className={classes.form}>
        {token !== undefined && linkFault === null ? (
          <Stack align="center" role="status">
            <Loader type="dots" />
            <Text>Signing in with your link …</Text>
          </Stack>
        ) : (
          <Stack gap="lg">
            <Stack gap={6}>
              <Title order={1}>{frameTexts.signIn}</Title>
              <Text c="dimmed">One interface in front of every engine. Sign in with a key of this service.</Text>
            </Stack>
            {linkFault !== null && (
              <Alert color="red" variant="light" title={linkFault.title} role="alert">
                {linkFault.message}
              </Alert>
            )}
            {isEnded && (
              <Alert color="yellow" variant="light" title="Your session has ended" role="alert">
                It expired, or somebody signed you out. What you wrote in this tab is kept: sign in again to go on.
              </Alert>
            )}
            {refused !== null && (
              <Alert color="red" variant="light" role="alert">
                {refused.message}
              </Alert>
            )}
            <ProviderButton />
            <KeyForm onSignedIn={() => navigate('/', { replace: true })} />
            <dl className={classes.kinds}>
              {KINDS.map(([beginning, purpose]) => (
                <KindOfKey key={beginning} beginning={beginning} purpose={purpose} />
              ))}
            </dl>
            <div>
              <Anchor component="button" size="sm" aria-expanded={whereOpen} onClick={() => setWhereOpen(!whereOpen)}>
                Where is my key?
              </Anchor>
              <Collapse expanded={whereOpen}>
                <Hint mt="xs">
                  The first start prints one key of each kind, or writes them to first-keys.txt in the data directory.
                  To create another one, run
                </Hint>
                <Code block mt="xs">
                  npm run -s darkroom -- keys create --mode test
                </Code>
              </Collapse>
            </div>
          </Stack>
        )}
      </main>
    </div>
  );
}

/** Links to the sign-in provider, if there is one. Keys work as well. */
function ProviderButton() {
  const { signInUrl } = useStore(personStore);
  if (signInUrl === null) return null;
  return (
    <>
      <Button component="a" href={signInUrl} size="md">
        Sign in with your work account
      </Button>
      <Hint ta="center">or with a key</Hint>
    </>
  );
}

function KindOfKey({ beginning, purpose }: { readonly beginning: string; readonly purpose: string }) {
  return (
    <>
      <dt>{beginning}</dt>
      <dd>{purpose}</dd>
    </>
  );
}
