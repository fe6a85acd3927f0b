import { type Static, Type } from 'typebox';

/** How outputs are marked as made by a machine. */
export const PROVENANCE_SETTINGS = ['off', 'metadata', 'c2pa'] as const;
const EXPECTED_PEM = 'a file, or its content that begins with -----BEGIN';

export const PROVENANCE_VARIABLES = {
  DARKROOM_PROVENANCE: Type.Optional(
    Type.Enum(PROVENANCE_SETTINGS, {
      expected: `one of ${PROVENANCE_SETTINGS.join(', ')}`,
      description:
        'How outputs [say that a machine made them](provenance.md): not at all, by XMP metadata, or by a signed C2PA manifest. Unset: `metadata` for what the built-in engine and your own servers make, `off` for the rest.',
    }),
  ),
  DARKROOM_PROVENANCE_CERTIFICATE: Type.Optional(
    Type.String({
      expected: EXPECTED_PEM,
      secret: true,
      description: 'The PEM certificates that sign manifests, yours first: a file or the text itself.',
    }),
  ),
  DARKROOM_PROVENANCE_KEY: Type.Optional(
    Type.String({
      expected: EXPECTED_PEM,
      secret: true,
      description: 'The private key of that certificate, P-256 or Ed25519, in the same form.',
    }),
  ),
} as const;

export type ProvenanceSetting = (typeof PROVENANCE_SETTINGS)[number];

export interface ProvenanceConfig {
  /** Null: what is made here is marked with metadata. */
  readonly setting: ProvenanceSetting | null;
  /** Paths or PEM texts. */
  readonly certificate: string | null;
  readonly key: string | null;
}

type Values = { readonly [Name in keyof typeof PROVENANCE_VARIABLES]: Static<(typeof PROVENANCE_VARIABLES)[Name]> };

export function provenanceOf(values: Partial<Values>): { readonly provenance: ProvenanceConfig } {
  const provenance = {
    setting: values.DARKROOM_PROVENANCE ?? null,
    certificate: values.DARKROOM_PROVENANCE_CERTIFICATE ?? null,
    key: values.DARKROOM_PROVENANCE_KEY ?? null,
  };
  return { provenance };
}
