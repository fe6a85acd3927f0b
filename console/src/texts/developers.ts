/** Texts of destinations, upstream keys and deliveries. */
export const developerTexts = {
  destinations: {
    add: 'New destination',
    heads: { name: 'Name' },
    removeOf: (name: string) => `Remove the destination ${name}`,
    fields: {
      bucket: 'Bucket',
      region: 'Region',
      endpoint: 'Server, if not Amazon S3',
      path: 'Names of the objects',
      access_key_id: 'Access key id',
      secret_access_key: 'Secret access key',
    },
    submit: 'Save',
    failed: 'The destination was not changed',
    unknown: 'It is not known whether the destination was changed',
  },
  delivery: {
    submit: 'Deliver',
    failed: 'The order is not delivered',
    unknown: 'It is not known whether the order is delivered',
  },
  upstreamKeys: {
    hint: 'Live orders of the account go to an upstream with your own key there.',
    fee: (amount: string, percent: string) =>
      Number(percent) === 0
        ? `They cost ${amount} each here.`
        : `They cost ${amount} and ${percent} % of the price here.`,
    heads: { engine: 'Upstream' },
    add: 'Add a key',
    replaceOf: (engine: string) => `Replace the key at ${engine}`,
    removeOf: (engine: string) => `Remove the key at ${engine}`,
    submit: 'Save',
    failed: 'The upstream key was not changed',
    unknown: 'It is not known whether the upstream key was changed',
  },
};
