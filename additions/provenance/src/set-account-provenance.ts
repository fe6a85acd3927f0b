import { type OutputOptions, show, withLocalData } from '@darkroom-service/darkroom/kernel-cli';
import { findChoice, setChoice } from './account-provenance.ts';
import { MARK_SETTINGS, type ProvenanceSetting } from './provenance-settings.ts';

export async function setAccountProvenance(
  account: string,
  wished: ProvenanceSetting | 'default' | undefined,
  options: OutputOptions & { readonly prompt?: boolean },
): Promise<void> {
  const choice = await withLocalData('refuse', async ({ config, database, by }) => {
    if (wished === undefined) return await findChoice(database.read, account);
    const provenance = config.of(MARK_SETTINGS);
    const setting = wished === 'default' ? null : wished;
    return await setChoice({ store: database, provenance }, by, account, {
      setting,
      writesPrompt: options.prompt === true,
    });
  });
  const setting = choice.setting ?? "the service's own setting";
  const text = `${choice.account_id}: ${setting}, ${choice.prompt ? 'with' : 'without'} the prompt.`;
  show(options, { json: choice, text });
}
