import { Input, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useDeed } from '../../api/use-deed.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Segments } from '../../components/segments.tsx';
import { keysTexts } from '../../texts/keys.ts';
import { patternsOf } from './key-draft.ts';
import type { AccountRow } from './rows.ts';

const texts = keysTexts.newAccount;
type Terms = keyof typeof texts.limits;

/** Creates an account, or changes the terms of the given one. */
export function AccountForm({
  account,
  onClose,
}: {
  readonly account: AccountRow | null;
  readonly onClose: () => void;
}) {
  const [id, setId] = useState('');
  const [name, setName] = useState(account?.name ?? '');
  const [terms, setTerms] = useState<Terms>(termsOf(account));
  const [limit, setLimit] = useState<number | string>(Number(account?.credit_limit ?? 0) || '');
  const [hidden, setHidden] = useState(account?.hidden_models.join(', ') ?? '');
  const [rules, setRules] = useState(rulesText(account));
  const readRules = rulesOf(rules);
  const save = useDeed(async () => {
    const shared = {
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      credit_limit: terms === 'unlimited' ? null : terms === 'prepaid' ? '0' : String(limit === '' ? 0 : limit),
    };
    if (account === null) {
      const body = { ...shared, ...(id === '' ? {} : { account_id: id }) };
      await perform('POST /admin/v1/accounts', { body }, `${texts.title}: ${name.trim()}`);
    } else {
      const path = { account_id: account.account_id };
      const body = { ...shared, hidden_models: patternsOf(hidden), price_rules: readRules ?? [] };
      await perform('PATCH /admin/v1/accounts/{account_id}', { path, body });
    }
  }, onClose);
  const { change } = keysTexts;
  const isNarrow = useMediaQuery('(max-width: 30em)') ?? false;
  return (
    <DialogForm
      deed={save}
      texts={account === null ? texts : change}
      onSubmit={() => readRules !== null && save.mutate()}
      onClose={onClose}
    >
      {account === null && (
        <TextInput
          label={texts.id}
          description={texts.idHint}
          value={id}
          onChange={(event) => setId(event.currentTarget.value.trim())}
        />
      )}
      <TextInput label={texts.name} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <Input.Wrapper label={texts.limit} labelElement="div">
        <Segments
          label={texts.limit}
          words={texts.limits}
          fullWidth
          orientation={isNarrow ? 'vertical' : 'horizontal'}
          value={terms}
          onChange={setTerms}
        />
      </Input.Wrapper>
      {terms === 'credit' && (
        <NumberInput
          label={texts.amount}
          prefix="$"
          min={0}
          decimalScale={6}
          hideControls
          required
          value={limit}
          onChange={setLimit}
        />
      )}
      {account !== null && (
        <>
          <TextInput
            label={change.hidden}
            description={change.hiddenHint}
            value={hidden}
            onChange={(event) => setHidden(event.currentTarget.value)}
          />
          <Textarea
            label={change.rules}
            description={change.rulesHint}
            autosize
            minRows={2}
            error={readRules === null ? change.rulesFault : undefined}
            value={rules}
            onChange={(event) => setRules(event.currentTarget.value)}
          />
        </>
      )}
    </DialogForm>
  );
}

function termsOf(account: AccountRow | null): Terms {
  if (account === null) return 'prepaid';
  if (account.credit_limit === null) return 'unlimited';
  return Number(account.credit_limit) === 0 ? 'prepaid' : 'credit';
}

function rulesText(account: AccountRow | null): string {
  return account?.price_rules.map(({ models, multiplier }) => `${models} ${multiplier}`).join('\n') ?? '';
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
