import { IconPlus } from '@tabler/icons-react';
import { perform } from '../../api/deeds.ts';
import { useApi } from '../../api/use-api.ts';
import { DialogButton } from '../../components/dialog.tsx';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { Named } from '../../components/words.tsx';
import { formatMinute } from '../../format.ts';
import { DataRuleForm, type Rule, ruleInWords, type StoredRule } from './data-rule-form.tsx';
import { useLiveKey } from './use-live-key.ts';

const ADD = 'New rule';
const subjectOf = ({ subject }: StoredRule) => (subject === 'account' ? 'the whole account' : subject);

/** The rules of the account and its keys about the upstreams that may get their orders. */
export function DataRulesPanel() {
  const rules = useApi('GET /v1/account/data_rules', {});
  const live = useLiveKey('PUT /v1/account/data_rules/{subject}');
  const save = async (subject: string, body: Rule) =>
    await perform('PUT /v1/account/data_rules/{subject}', { path: { subject }, body }, `Data rule of ${subject}`, {
      ...(live === null ? {} : { key: live }),
    });
  return (
    <ListPanel
      pages={singlePage(rules, ({ subject }) => subject)}
      title="Where orders may go"
      hint="Upstreams that do not fit every rule get no live orders. The page of a model lists its upstreams, with what each does with data."
      empty="No rule yet: orders may go to every upstream."
      aside={
        live !== null && (
          <DialogButton word={ADD} title={ADD} leftSection={<IconPlus size={16} aria-hidden="true" />}>
            <DataRuleForm rule={null} save={save} />
          </DialogButton>
        )
      }
      columns={[
        {
          head: 'Orders of',
          phone: 'title',
          cell: (rule) => <Named name={subjectOf(rule)} more={`since ${formatMinute(rule.set_at)}`} />,
        },
        { head: 'Go', phone: 'note', cell: ({ data }) => ruleInWords(data) },
      ]}
      deeds={[
        live !== null && {
          word: 'Change',
          name: (rule) => `Change the rule of ${subjectOf(rule)}`,
          form: (rule) => <DataRuleForm rule={rule} subject={rule.subject} save={save} />,
        },
        live !== null && {
          word: 'Remove',
          name: (rule) => `Remove the rule of ${subjectOf(rule)}`,
          act: (rule) =>
            perform(
              'DELETE /v1/account/data_rules/{subject}',
              { path: { subject: rule.subject } },
              `Remove the rule of ${subjectOf(rule)}`,
              { key: live },
            ),
          failed: 'The rule was not removed',
          says: 'Later orders may go to upstreams that it excludes now. Earlier orders keep it.',
        },
      ]}
    />
  );
}
