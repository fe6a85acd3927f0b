import { NumberInput, TextInput } from '@mantine/core';
import { patternsOf } from '../../api/form-field.ts';
import type { DataOf } from '../../api/operations.ts';
import { notify } from '../../api/undo.ts';
import { DeedForm } from '../../components/dialog.tsx';
import { Agreement } from '../../components/inputs.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { formatMany } from '../../format.ts';

export type StoredRule = DataOf<'GET /v1/account/data_rules'>['items'][number];
export type Rule = StoredRule['data'];

interface FormProps {
  /** The rule that is changed; null = there is none. */
  readonly rule: StoredRule | null;
  /** Whose orders the rule limits; absent = the form asks for it. */
  readonly subject?: string;
  readonly save: (subject: string, rule: Rule) => Promise<unknown>;
}

/** Fields of a rule about where orders may go. An empty field limits nothing. */
export function DataRuleForm({ rule, subject, save }: FormProps) {
  const { draft, field } = useDraft(() => ({
    keyId: '',
    only: (rule?.data.only ?? []).join(', '),
    except: (rule?.data.except ?? []).join(', '),
    country: (rule?.data.country ?? []).join(', '),
    retention: (rule?.data.retention ?? '') as number | string,
    isUntrained: rule?.data.training === false,
  }));
  const keyId = draft.keyId.trim();
  return (
    <DeedForm
      act={() => save(subject ?? (keyId === '' ? 'account' : keyId), ruleOf(draft))}
      onDone={() => notify('The rule is saved. It applies to orders from the next second on.')}
      submit="Save"
      failed="The rule was not saved"
    >
      {subject === undefined && (
        <TextInput
          label="Only for the key"
          description="Its key id. Empty: for all orders of the account"
          placeholder="key_…"
          maxLength={64}
          {...field('keyId')}
          data-autofocus
        />
      )}
      <TextInput label="Only these upstreams" placeholder="vertex, openai" maxLength={1000} {...field('only')} />
      <TextInput label="Not these upstreams" placeholder="fal" maxLength={1000} {...field('except')} />
      <TextInput
        label="Only where data is processed in"
        description="Country codes with commas"
        placeholder="DE, FR"
        maxLength={200}
        {...field('country')}
      />
      <NumberInput
        label="Kept for at most so many days"
        description="0 = not kept. Empty: for any time"
        min={0}
        max={3650}
        allowDecimal={false}
        hideControls
        {...field('retention')}
      />
      <Agreement label="Not where data is used for training" {...field('isUntrained')} />
    </DeedForm>
  );
}

interface RuleDraft {
  readonly only: string;
  readonly except: string;
  readonly country: string;
  readonly retention: number | string;
  readonly isUntrained: boolean;
}

function ruleOf({ only, except, country, retention, isUntrained }: RuleDraft): Rule {
  const lists = { only: patternsOf(only), except: patternsOf(except), country: patternsOf(country.toUpperCase()) };
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0)),
    ...(retention === '' ? {} : { retention: Number(retention) }),
    ...(isUntrained ? { training: false as const } : {}),
  };
}

/** Returns a rule in words. */
export function ruleInWords({ only, except, country, retention, training }: Rule): string {
  const parts = [
    only === undefined ? null : `only to ${only.join(', ')}`,
    except === undefined ? null : `not to ${except.join(', ')}`,
    country === undefined ? null : `processed only in ${country.join(', ')}`,
    retention === undefined ? null : retention === 0 ? 'not kept' : `kept for at most ${formatMany(retention, 'day')}`,
    training === false ? 'not used for training' : null,
  ].filter((part) => part !== null);
  const text = parts.length === 0 ? 'anywhere' : parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
