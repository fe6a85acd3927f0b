import { commentOf, type Member, membersOf, type Schema, typeOfSchema, unionOf } from './schema-type.ts';

/** The parts of a model in the catalog that the generator reads. */
export interface CatalogModel {
  readonly model_id: string;
  readonly aliases: readonly string[];
  readonly name: string;
  readonly type: 'image' | 'video';
  readonly description: string;
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly required: readonly (readonly string[])[];
  /** The roles that images of an order can have; absent at services that know none. */
  readonly image_roles?: readonly string[];
}

/**
 * Writes one type per model of a catalog, and `Models`, which finds them by id. `new Darkroom<Models>()` then knows the
 * fields and values of each model.
 * @param heading the comment at the top: where the types come from
 */
export function modelTypes(models: readonly CatalogModel[], heading: string): string {
  const sorted = models.toSorted((a, b) => (a.model_id < b.model_id ? -1 : 1));
  const maps = (['image', 'video'] as const).map((type) => {
    const ids = sorted
      .filter((model) => model.type === type)
      .flatMap((model) => [model.model_id, ...model.aliases].map((id) => `    readonly '${id}': ${typeName(model)};`));
    return `  readonly ${type}: {\n${ids.join('\n')}\n  };`;
  });
  const index = `/** The fields of each model, by its id and its aliases. */\nexport interface Models {\n${maps.join('\n')}\n}`;
  return `${commentOf(heading, '')}\n\n${[...sorted.map(declare), index].join('\n\n')}\n`;
}

function declare(model: CatalogModel): string {
  const [only, ...others] = model.required;
  const always = others.length === 0 ? (only ?? []) : [];
  const members = Object.entries({ ...model.parameters, ...rolesOf(model) }).map(([name, schema]) =>
    memberOf(name, schema, always.includes(name)),
  );
  const comment = commentOf(`${model.name}. ${model.description}`, '');
  const name = typeName(model);
  if (others.length === 0) return `${comment}\nexport interface ${name} {\n${membersOf(members, '  ')}\n}`;
  const alternatives = model.required.map((fields) => {
    const parts = fields.map((field) => `readonly ${field}: ${typeOfSchema(model.parameters[field] ?? {})}`);
    return `{ ${parts.join('; ')} }`;
  });
  return `${comment}\nexport type ${name} = {\n${membersOf(members, '  ')}\n} & (${unionOf(alternatives)});`;
}

function rolesOf({ image_roles: roles = [] }: CatalogModel): Readonly<Record<string, Schema>> {
  if (roles.length === 0) return {};
  const description =
    'The role of each image of image_urls, in the same sequence, instead of the fields of these roles.';
  return { image_roles: { type: 'array', items: { enum: roles }, default: null, description } };
}

function memberOf(name: string, schema: Schema, isRequired: boolean): Member {
  const type = typeOfSchema(schema);
  // Null means "not sent" where the default is null.
  const accepted = isRequired ? [type] : schema.default === null ? [type, 'null', 'undefined'] : [type, 'undefined'];
  const fallback =
    schema.default === undefined || schema.default === null ? '' : ` Default: ${JSON.stringify(schema.default)}.`;
  const description = `${schema.description ?? ''}${fallback}`.trim();
  return {
    name,
    type: unionOf(accepted),
    optional: !isRequired,
    description: description === '' ? undefined : description,
  };
}

function typeName({ model_id: id, type }: CatalogModel): string {
  const words = id.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  // Digits that a dot or a hyphen keeps apart stay apart, so that two ids never share a name.
  const joined = words.reduce((all, word) => (/\d$/.test(all) && /^\d/.test(word) ? `${all}_${word}` : all + word), '');
  return `${/^\d/.test(joined) ? 'Model' : ''}${joined}${type === 'image' ? 'Image' : 'Video'}`;
}
