import { Text } from '@mantine/core';
import { perform } from '../../api/deeds.ts';
import { useApi } from '../../api/use-api.ts';
import { AsSetNow } from '../../components/as-seen.tsx';
import { Hint } from '../../components/words.tsx';
import { DataRuleForm, ruleInWords } from './data-rule-form.tsx';

/** The form by which operators set where all orders of an account may go. It lists the rules of the account's keys. */
export function AccountRuleForm({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const path = { account_id: accountId };
  const rules = useApi('GET /admin/v1/accounts/{account_id}/data_rules', { path }, { staleTime: 0 });
  return (
    <AsSetNow of={rules}>
      {({ items }) => (
        <>
          <Hint>
            All live orders of {name} keep to this rule, and to those of their keys. Empty fields limit nothing.
          </Hint>
          {items.map(
            ({ subject, data: rule }) =>
              subject !== 'account' && (
                <Text key={subject} size="sm">
                  {subject}: {ruleInWords(rule)}
                </Text>
              ),
          )}
          <DataRuleForm
            rule={items.find(({ subject }) => subject === 'account') ?? null}
            subject="account"
            save={(_, body) =>
              perform('PUT /admin/v1/accounts/{account_id}/data_rules', { path, body }, `Data of ${name}`)
            }
          />
        </>
      )}
    </AsSetNow>
  );
}
