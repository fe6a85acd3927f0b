import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { refresh, rememberAnswer, useApi } from '../../api/use-api.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Fault, Hint } from '../../components/words.ts';
import { usageTexts } from '../../texts/usage.ts';
import { LastDeliveries } from './last-deliveries.tsx';
import type { Scope } from './scope.ts';
import { WebhookSecret } from './webhook-secret.tsx';
import classes from './webhooks-panel.module.css';

const texts = usageTexts.webhooks;

/** The webhook settings: default URL, signing secret and latest deliveries. */
export function WebhooksPanel({ scope, mayChange }: { readonly scope: Scope; readonly mayChange: boolean }) {
  const webhooks = useApi('GET /v1/account/webhooks', {});
  return (
    <Panel title={texts.title} hint={texts.hint}>
      <Stack gap="lg">
        {webhooks.error !== null && <ErrorNote error={webhooks.error} onRetry={() => void webhooks.refetch()} />}
        <div className={classes.settings}>
          {webhooks.data === undefined ? (
            <Skeleton h={80} aria-hidden="true" />
          ) : (
            <AddressForm address={webhooks.data.url ?? ''} mayChange={mayChange} />
          )}
          <WebhookSecret mayChange={mayChange} />
        </div>
        <LastDeliveries scope={scope} />
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
          label={texts.address}
          description={mayChange ? texts.addressHint : texts.mayNotChange}
          placeholder="https://"
          readOnly={!mayChange}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          error={save.error?.message}
          flex={1}
        />
        {mayChange && (
          <PlainButton type="submit" loading={save.isPending} disabled={wanted.trim() === address}>
            {texts.save}
          </PlainButton>
        )}
      </Group>
      <WebhookTest key={wanted} url={wanted.trim()} />
      {save.isSuccess && (
        <Hint mt={6} role="status">
          {texts.saved}
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
      <SmallButton disabled={url === ''} loading={test.isPending} onClick={() => test.mutate()}>
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
