import { Input, Textarea, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { perform } from '../../api/deeds.ts';
import { patternsOf } from '../../api/form-field.ts';
import type { DataOf } from '../../api/operations.ts';
import { DeedForm } from '../../components/dialog.tsx';
import { DollarInput, Segments } from '../../components/inputs.tsx';
import { useDraft } from '../../components/use-draft.ts';

export type AccountRow = DataOf<'GET /admin/v1/accounts'>['items'][number];
type Terms = keyof typeof TERMS;
const TERMS = { prepaid: 'In advance', credit: 'Later, up to', unlimited: 'Later, without limit' };

/** Creates an account, or changes the terms of the given one. */
export function AccountForm({ account }: { readonly account: AccountRow | null }) {
  const { draft, field } = useDraft({
    id: '',
    name: account?.name ?? '',
    terms: termsOf(account),
    limit: (Number(account?.credit_limit ?? 0) || '') as number | string,
    hidden: account?.hidden_models.join(', ') ?? '',
    rules: account?.price_rules.map(({ models, multiplier }) => `${models} ${multiplier}`).join('\n') ?? '',
  });
  const { id, terms, limit } = draft;
  const name = draft.name.trim();
  const rules = rulesOf(draft.rules);
  const save = async () => {
    const shared = {
      ...(name === '' ? {} : { name }),
      credit_limit: terms === 'unlimited' ? null : terms === 'prepaid' ? '0' : String(limit === '' ? 0 : limit),
    };
    if (account === null) {
      const body = { ...shared, ...(id.trim() === '' ? {} : { account_id: id.trim() }) };
      await perform('POST /admin/v1/accounts', { body }, `New account: ${name}`);
    } else {
      const path = { account_id: account.account_id };
      const body = { ...shared, hidden_models: patternsOf(draft.hidden), price_rules: rules ?? [] };
      await perform('PATCH /admin/v1/accounts/{account_id}', { path, body });
    }
  };
  const isNarrow = useMediaQuery('(max-width: 30em)') ?? false;
  return (
    <DeedForm
      act={save}
      check={() => rules !== null}
      submit={account === null ? 'Create the account' : 'Save'}
      failed={account === null ? 'The account was not created' : 'The terms were not changed'}
    >
      {account === null && (
        <TextInput
          label="Id"
          description="Lower-case letters, digits, - and _. It cannot be changed. Empty: generated"
          {...field('id')}
        />
      )}
      <TextInput label="Name" {...field('name')} />
      <Input.Wrapper label="Payment" labelElement="div">
        <Segments
          label="Payment"
          words={TERMS}
          fullWidth
          orientation={isNarrow ? 'vertical' : 'horizontal'}
          {...field('terms')}
        />
      </Input.Wrapper>
      {terms === 'credit' && <DollarInput label="Credit limit in dollars" required {...field('limit')} />}
      {account !== null && (
        <>
          <TextInput
            label="Hidden models"
            description="Patterns with commas, such as veo-*. This account cannot see them"
            {...field('hidden')}
          />
          <Textarea
            label="Price rules"
            description="One per line: pattern and factor, such as flux-* 0.9. The first matching rule applies"
            autosize
            minRows={2}
            error={rules === null ? 'Each line is a pattern and a factor, such as: flux-* 0.9' : undefined}
            {...field('rules')}
          />
        </>
      )}
    </DeedForm>
  );
}

function termsOf(account: AccountRow | null): Terms {
  if (account === null) return 'prepaid';
  if (account.credit_limit === null) return 'unlimited';
  return Number(account.credit_limit) === 0 ? 'prepaid' : 'credit';
}

/** Parses price rules; null if a line is invalid. */
function rulesOf(text: string): { models: string; multiplier: string }[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rules = lines.flatMap((line) => {
    const [, models, multiplier] = /^\s*(\S+)\s+(\d+(?:\.\d+)?)\s*$/.exec(line) ?? [];
    return models === undefined || multiplier === undefined ? [] : [{ models, multiplier }];
  });
  return rules.length === lines.length ? rules : null;
}
