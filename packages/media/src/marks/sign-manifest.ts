import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { X509Certificate } from '@peculiar/x509';
import { CoseAlgorithmIdentifier, type Signer } from '@trustnxt/c2pa-ts/cose';
import {
  type Action,
  ActionAssertion,
  ActionType,
  BMFFHashAssertion,
  ClaimVersion,
  DataHashAssertion,
  type DigitalSourceType,
  IngredientAssertion,
  type Manifest,
  ManifestStore,
  RelationshipType,
} from '@trustnxt/c2pa-ts/manifest';
import { isSound, type ManifestCheck } from './check-manifest.ts';
import { C2PA_ID } from './manifest-place.ts';
import { digestOf, manifestsOf, type StoredManifest, storeWith } from './manifest-store.ts';
import { type Mark, SOURCE_TYPES } from './mark.ts';
import { algorithmOf, certificatesOf, type Signing } from './signing.ts';

/** A file that another file was made from. */
export interface Ingredient {
  readonly title: string;
  readonly contentType: string;
  /** `parentOf`: the file is an edit of it; at most one. `inputTo`: it was given with the prompt. */
  readonly relationship: 'parentOf' | 'inputTo';
  /** The file's manifest store, if it can be read, and the result of checking it; null without. */
  readonly manifests: { readonly store: Buffer; readonly check: ManifestCheck } | null;
}

/** The binding of a manifest to its file: hashes and excluded ranges. */
export interface Binding {
  /** SHA-256 of the file without the store's container. */
  readonly digest: Uint8Array;
  /** The container, in a file that is hashed as a whole; null in a file that is hashed by its boxes. */
  readonly container: { readonly start: number; readonly length: number } | null;
}

export interface ManifestDraft {
  /** Titles of the ingredients whose manifests could not be included, with the reason. */
  readonly leftOut: readonly string[];
  /** The length of the store, signed or not, for a binding of this kind. */
  readonly measure: (binding: Binding) => number;
  readonly sign: (binding: Binding) => Promise<Buffer>;
}

const ALGORITHM = 'SHA-256';
/** Bytes for the signature; a length that is itself encoded in two bytes. */
const PADDING_BYTES = 1024;

/** Prepares the manifest of a file. */
export function draftManifest(
  mark: Mark,
  signing: Signing,
  contentType: string,
  ingredients: readonly Ingredient[],
): ManifestDraft {
  const signer = signerOf(signing);
  const store = new ManifestStore();
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: contentType,
    instanceID: `xmp:iid:${randomUUID()}`,
    defaultHashAlgorithm: ALGORITHM,
    signer,
  });
  manifest.signature!.signatureData.paddingLength = PADDING_BYTES;
  const [, name = mark.generator, version] = /^(.+) (\S+)$/.exec(mark.generator) ?? [];
  Object.assign(manifest.claim!, { claimGeneratorName: name, claimGeneratorVersion: version });
  manifest.claim!.title = mark.isTest ? `${mark.taskId} (test output)` : mark.taskId;
  const kept: StoredManifest[] = [];
  const leftOut: string[] = [];
  const assertions: IngredientAssertion[] = [];
  for (const ingredient of ingredients) {
    const assertion = assertionOf(ingredient, kept, leftOut);
    if (assertions.length > 0) assertion.labelSuffix = assertions.length;
    assertions.push(assertion);
    manifest.addAssertion(assertion);
  }
  const actions = new ActionAssertion();
  actions.actions = actionsOf(mark, manifest, assertions);
  manifest.addAssertion(actions);
  let hash: DataHashAssertion | BMFFHashAssertion | null = null;

  function bind({ digest, container }: Binding): void {
    if (hash === null) {
      hash = container === null ? boxHash() : DataHashAssertion.create(ALGORITHM, 0);
      manifest.addAssertion(hash);
    }
    if (hash instanceof DataHashAssertion && container !== null) hash.exclusions = [container];
    hash.hash = digest;
  }

  return {
    leftOut,
    measure(binding) {
      bind(binding);
      const length = storeWith(kept, Buffer.from(store.getBytes())).length;
      // A WebP pads an odd length, which readers disagree about.
      manifest.signature!.signatureData.paddingLength += length % 2;
      return length + (length % 2);
    },
    async sign(binding) {
      bind(binding);
      await manifest.sign(signer);
      return storeWith(kept, Buffer.from(store.getBytes()));
    },
  };
}

function signerOf(signing: Signing): Signer {
  const key = createPrivateKey(signing.key);
  const algorithm = algorithmOf(key);
  const [certificate, ...chainCertificates] = certificatesOf(signing).map((pem) => new X509Certificate(pem));
  if (algorithm === null || certificate === undefined) throw new Error('the signing key or its chain cannot be used');
  const digest = algorithm === 'ES256' ? 'sha256' : null;
  return {
    algorithm: CoseAlgorithmIdentifier[algorithm],
    certificate,
    chainCertificates,
    // COSE has the two numbers of an ECDSA signature side by side; the signer of the library writes ASN.1.
    sign: async (payload) => new Uint8Array(sign(digest, payload, { key, dsaEncoding: 'ieee-p1363' })),
  };
}

/** Adds the ingredient's manifests to those that are kept, and refers to its own. */
function assertionOf(ingredient: Ingredient, kept: StoredManifest[], leftOut: string[]): IngredientAssertion {
  const isParent = ingredient.relationship === 'parentOf';
  const assertion = IngredientAssertion.createV3(isParent ? RelationshipType.ParentOf : RelationshipType.InputTo);
  assertion.title = ingredient.title;
  assertion.format = ingredient.contentType;
  if (ingredient.manifests === null) return assertion;
  const { store, check } = ingredient.manifests;
  const manifests = manifestsOf(store);
  const active = manifests.at(-1);
  // Two manifests of one name cannot be in one store.
  const clashes = manifests.some(({ label, bytes }) =>
    kept.some((one) => one.label === label && !one.bytes.equals(bytes)),
  );
  if (active === undefined || clashes || !isSound(check)) {
    const why = check.failure.map(({ code }) => code).join(', ');
    leftOut.push(`${ingredient.title} (${why === '' ? 'another has its name' : why})`);
    return assertion;
  }
  for (const one of manifests) if (!kept.some(({ label }) => label === one.label)) kept.push(one);
  const uri = `self#jumbf=/c2pa/${active.label}`;
  assertion.activeManifest = { uri, hash: digestOf(active), algorithm: ALGORITHM };
  assertion.validationResults = { activeManifest: check };
  return assertion;
}

function actionsOf(mark: Mark, manifest: Manifest, ingredients: readonly IngredientAssertion[]): Action[] {
  const refer = (assertion: IngredientAssertion) => manifest.createAssertionReference(assertion);
  const parent = ingredients.find(({ relationship }) => relationship === RelationshipType.ParentOf);
  const inputs = ingredients.filter((one) => one !== parent).map(refer);
  const made: Action = {
    action: parent === undefined ? ActionType.C2paCreated : ActionType.C2paEdited,
    digitalSourceType: `${SOURCE_TYPES}${mark.source}` as DigitalSourceType,
    softwareAgent: { name: mark.model },
    parameters: {
      'darkroom.task_id': mark.taskId,
      'darkroom.created_at': mark.createdAt.toISOString(),
      ...(mark.prompt === null ? {} : { 'darkroom.prompt': mark.prompt }),
      ...(mark.isTest ? { 'darkroom.test': true } : {}),
      ...(inputs.length === 0 ? {} : { ingredients: inputs }),
    },
  };
  if (parent === undefined) return [made];
  return [{ action: ActionType.C2paOpened, parameters: { ingredients: [refer(parent)] } }, made];
}

/** Returns the assertion of a hash of everything but the file type, the store itself and the index of fragments. */
function boxHash(): BMFFHashAssertion {
  const hash = BMFFHashAssertion.createV3('jumbf manifest', ALGORITHM);
  hash.exclusions = [
    { xpath: '/uuid', data: [{ offset: 8, value: new Uint8Array(C2PA_ID) }] },
    { xpath: '/ftyp' },
    { xpath: '/mfra' },
  ];
  return hash;
}
