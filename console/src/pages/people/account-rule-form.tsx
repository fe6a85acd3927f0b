import { Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Hint } from '../../components/words.tsx';
import { DataRuleForm, ruleInWords } from './data-rule-form.tsx';

/** The form by which operators set where all orders of an account may go. It lists the rules of the account's keys. */
export function AccountRuleForm({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const path = { account_id: accountId };
  const [openedAt] = useState(Date.now);
  const { data, dataUpdatedAt, error, refetch } = useApi(
    'GET /admin/v1/accounts/{account_id}/data_rules',
    { path },
    { staleTime: 0 },
  );
  // The form begins with what is set now, and outlives a later error.
  if (data === undefined || dataUpdatedAt < openedAt)
    return error === null ? (
      <Skeleton h={320} aria-hidden="true" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  return (
    <>
      <Hint>All live orders of {name} keep to this rule, and to those of their keys. Empty fields limit nothing.</Hint>
      {data.items.map(
        ({ subject, data: rule }) =>
          subject !== 'account' && (
            <Text key={subject} size="sm">
              {subject}: {ruleInWords(rule)}
            </Text>
          ),
      )}
      <DataRuleForm
        rule={data.items.find(({ subject }) => subject === 'account') ?? null}
        subject="account"
        save={(_, body) => perform('PUT /admin/v1/accounts/{account_id}/data_rules', { path, body }, `Data of ${name}`)}
      />
    </>
  );
}
