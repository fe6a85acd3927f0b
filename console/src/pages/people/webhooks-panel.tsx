import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { perform, useDeed } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { useSession } from '../../api/session.ts';
import { rememberAnswer, useApi } from '../../api/use-api.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { Deliveries } from '../../components/deliveries.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Fault, Hint, Small } from '../../components/words.tsx';
import { formatCount, formatMinute } from '../../format.ts';
import classes from './webhooks-panel.module.css';

const texts = { test: 'Send a test event', rotate: 'Rotate the secret' } as const;

/** The webhook settings for users who may change them: default URL and signing secret; and the latest deliveries. */
export function WebhooksPanel() {
  const may = useMay();
  const maySet = may('GET /v1/account/webhooks');
  const account = useApi('GET /v1/account', {});
  const seesAccount = account.data?.key.account_view === true;
  const mayChange = seesAccount && may('PUT /v1/account/webhooks');
  const webhooks = useApi('GET /v1/account/webhooks', {}, { enabled: maySet });
  return (
    <>
      {maySet && (
        <Panel title="Webhooks" hint="The service calls your URL when an order ends, so that you need not poll.">
          <Stack gap="lg">
            <ErrorNote error={webhooks.error} onRetry={() => void webhooks.refetch()} />
            <div className={classes.settings}>
              {webhooks.data === undefined ? (
                <Skeleton h={80} aria-hidden="true" />
              ) : (
                <AddressForm address={webhooks.data.url ?? ''} mayChange={mayChange} />
              )}
              <WebhookSecret mayChange={mayChange} />
            </div>
          </Stack>
        </Panel>
      )}
      <Deliveries
        of="account"
        title="Latest webhook deliveries"
        empty="None sent yet."
        query={{ scope: seesAccount ? 'account' : 'key', limit: 8 }}
        enabled={account.data !== undefined}
      />
    </>
  );
}

function AddressForm({ address, mayChange }: { readonly address: string; readonly mayChange: boolean }) {
  const { mode } = useSession();
  const [wanted, setWanted] = useState(address);
  const save = useDeed((url: string) =>
    perform('PUT /v1/account/webhooks', { body: { url: url === '' ? null : url } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(wanted.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap={8} align="flex-end" wrap="nowrap">
        <TextInput
          type="url"
          label="Default URL"
          description={
            mayChange
              ? `For all ${mode} orders of the account. An order can set its own webhook_url. Empty: none`
              : 'It belongs to the whole account: only a key that can see the account can change it.'
          }
          placeholder="https://"
          readOnly={!mayChange}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          error={save.error?.message}
          flex={1}
        />
        {mayChange && (
          <PlainButton type="submit" loading={save.isPending} disabled={wanted.trim() === address}>
            Save
          </PlainButton>
        )}
      </Group>
      <WebhookTest key={wanted} url={wanted.trim()} />
      {save.isSuccess && (
        <Hint mt={6} role="status">
          Saved. The next order that ends uses it.
        </Hint>
      )}
    </form>
  );
}

/** Sends one signed test event to a URL and shows what the receiver answered. */
function WebhookTest({ url }: { readonly url: string }) {
  const test = useDeed(() =>
    perform('POST /v1/account/webhooks/test', { body: url === '' ? {} : { url } }, texts.test),
  );
  const { data, error } = test;
  return (
    <div>
      <SmallButton mt={8} disabled={url === ''} loading={test.isPending} onClick={() => test.mutate()}>
        {texts.test}
      </SmallButton>
      {data !== undefined && (
        <Text size="sm" mt={6} role="status" c={data.delivered ? 'dimmed' : 'var(--mantine-color-error)'}>
          {data.delivered
            ? `The receiver accepted it with ${data.response_status ?? 0} after ${formatCount(data.duration_ms)} ms.`
            : data.error}
        </Text>
      )}
      {error !== null && <Fault mt={6}>{error.message}</Fault>}
    </div>
  );
}

/** The signing secret of webhooks: shown on demand, and rotated without interruption. */
function WebhookSecret({ mayChange }: { readonly mayChange: boolean }) {
  const [shown, setShown] = useState(false);
  const secrets = useApi('GET /v1/account/webhooks/secret', {}, { enabled: shown });
  const rotate = useDeed(
    () => perform('POST /v1/account/webhooks/secret/rotate', { body: {} }, texts.rotate),
    (data) => {
      rememberAnswer('GET /v1/account/webhooks/secret', {}, data);
      setShown(true);
    },
  );
  const fault = secrets.error ?? rotate.error;
  return (
    <div>
      <Text size="sm" fw={500}>
        Signing secret
      </Text>
      <Small mb={8}>Verify every webhook with it, as Standard Webhooks describes.</Small>
      {shown &&
        secrets.data?.items.map(({ secret, valid_until: until }) => (
          <Group gap="2px 6px" fz={13} className="free-text" key={secret}>
            <code>{secret}</code>
            <CopyAction value={secret} label="Copy the secret" />
            {until !== null && <Small>{`also signs until ${formatMinute(until)}`}</Small>}
          </Group>
        ))}
      {fault !== null && <Fault>{fault.message}</Fault>}
      <Group gap="xs" mt={shown ? 8 : 0}>
        <SmallButton loading={secrets.isFetching} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </SmallButton>
        {mayChange && (
          <SmallButton loading={rotate.isPending} onClick={() => rotate.mutate()}>
            {texts.rotate}
          </SmallButton>
        )}
      </Group>
    </div>
  );
}
