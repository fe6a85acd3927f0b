import { closedObject, Flag, Nullable, Text, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';
import { PROVENANCE_SETTINGS } from './provenance-settings.ts';

const Setting = Type.Enum(PROVENANCE_SETTINGS);

export const NewAccountProvenance = closedObject(
  {
    setting: Nullable(Setting, "null = the service's own setting"),
    prompt: Type.Boolean({ description: 'true: the mark also contains the prompt' }),
  },
  { title: 'NewAccountProvenance' },
);

export const AccountProvenance = Type.Object(
  {
    account_id: Text,
    setting: Nullable(Setting, "How outputs are marked; null = by the service's own setting."),
    prompt: Flag,
    can_sign: { ...Flag, description: 'Whether `c2pa` can be set: the service has a certificate.' },
  },
  {
    $id: 'AccountProvenance',
    description: 'How the outputs of an account are marked as made by a machine.',
    examples: [{ account_id: 'acme', setting: 'metadata', prompt: false, can_sign: false }],
  },
);
export type AccountProvenanceView = Omit<Wire<typeof AccountProvenance>, 'can_sign'>;
