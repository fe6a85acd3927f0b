import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { refresh, rememberAnswer, useApi } from '../../api/use-api.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Fault, Hint } from '../../components/words.ts';
import { usageTexts } from '../../texts/usage.ts';
import { LastDeliveries } from './last-deliveries.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import classes from './webhooks-panel.module.css';

const texts = usageTexts.webhooks;

/** The webhook settings for those who set them up: default URL and signing secret; and the latest deliveries. */
export function WebhooksPanel() {
  const may = useMay();
  const maySet = may('GET /v1/account/webhooks');
  const account = useApi('GET /v1/account', {});
  const seesAccount = account.data?.key.account_view === true;
  const mayChange = seesAccount && may('PUT /v1/account/webhooks');
  const webhooks = useApi('GET /v1/account/webhooks', {}, { enabled: maySet });
  return (
    <Panel title={texts.title} hint="The service calls your URL when an order ends, so that you need not poll.">
      <Stack gap="lg">
        {webhooks.error !== null && <ErrorNote error={webhooks.error} onRetry={() => void webhooks.refetch()} />}
        {maySet && (
          <div className={classes.settings}>
            {webhooks.data === undefined ? (
              <Skeleton h={80} aria-hidden="true" />
            ) : (
              <AddressForm address={webhooks.data.url ?? ''} mayChange={mayChange} />
            )}
            <WebhookSecret mayChange={mayChange} />
          </div>
        )}
        {account.data !== undefined && <LastDeliveries scope={seesAccount ? 'account' : 'key'} />}
      </Stack>
    </Panel>
  );
}

function AddressForm({ address, mayChange }: { readonly address: string; readonly mayChange: boolean }) {
  const [wanted, setWanted] = useState(address);
  const save = useMutation({
    mutationFn: (url: string) => perform('PUT /v1/account/webhooks', { body: { url: url === '' ? null : url } }),
    onSuccess: async (data) => {
      rememberAnswer('GET /v1/account/webhooks', {}, data);
      await refresh('GET /v1/account/webhooks');
    },
  });
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
              ? 'For all orders of the account in the mode in use. An order can set its own webhook_url. Empty: none'
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
  const test = useMutation({
    mutationFn: () => perform('POST /v1/account/webhooks/test', { body: url === '' ? {} : { url } }, texts.test),
  });
  const { data, error } = test;
  return (
    <div>
      <SmallButton mt={8} disabled={url === ''} loading={test.isPending} onClick={() => test.mutate()}>
        {texts.test}
      </SmallButton>
      {data !== undefined && (
        <Text size="sm" mt={6} role="status" c={data.delivered ? 'dimmed' : 'var(--mantine-color-error)'}>
          {data.delivered ? texts.testAccepted(data.response_status ?? 0, data.duration_ms) : data.error}
        </Text>
      )}
      {error !== null && <Fault mt={6}>{error.message}</Fault>}
    </div>
  );
}
