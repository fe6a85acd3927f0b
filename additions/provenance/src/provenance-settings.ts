import { defineSettings, oneOf, text } from '@darkroom-service/darkroom/kernel';
import { Type } from 'typebox';

/** Ways to mark outputs as made by a machine. */
export const PROVENANCE_SETTINGS = ['off', 'metadata', 'c2pa'] as const;

export type ProvenanceSetting = (typeof PROVENANCE_SETTINGS)[number];
export type ProvenanceConfig = ReturnType<typeof MARK_SETTINGS.read>;

/** The marks of outputs, and the identity that signs them. */
export const MARK_SETTINGS = defineSettings({
  variables: {
    DARKROOM_PROVENANCE: Type.Optional(
      oneOf(
        PROVENANCE_SETTINGS,
        'How outputs [say that a machine made them](provenance.md): not at all, by XMP metadata, or by a signed C2PA manifest. Unset: `metadata` for what the built-in engine and your own servers make, `off` for the rest.',
      ),
    ),
    DARKROOM_PROVENANCE_CERTIFICATE: pem(
      'The PEM certificates that sign manifests, yours first: a file or the text itself.',
    ),
    DARKROOM_PROVENANCE_KEY: pem('The private key of that certificate, P-256 or Ed25519, in the same form.'),
  },
  read: (values) => ({
    /** Kind of marks. Null: outputs made here are marked with metadata. */
    setting: values.DARKROOM_PROVENANCE ?? null,
    /** Certificate, a path or a PEM text, like the key. */
    certificate: values.DARKROOM_PROVENANCE_CERTIFICATE ?? null,
    key: values.DARKROOM_PROVENANCE_KEY ?? null,
  }),
});

function pem(description: string) {
  const expected = 'a file, or its content that begins with -----BEGIN';
  return Type.Optional(text({ expected, secret: true, description }));
}
