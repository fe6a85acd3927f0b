import { clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import type { CatalogEntry } from '@darkroom-service/contract';
import { CommandFault, type OutputOptions, show, table, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Adds `darkroom models`: lists the models that this key can order; without a key, the public catalog. */
export function addModelsCommand(program: Command): void {
  withOutput(program.command('models').description('list the models, or show one with its fields'), 'their ids')
    .argument('[model_id]', 'show this one')
    .option('--type <type>', 'only image or only video models')
    .action(async (modelId: string | undefined, options: OutputOptions & { type?: string }) => {
      const client = clientOfEnvironment();
      if (modelId !== undefined && client.apiKey !== null) {
        const model = await client.get<CatalogEntry>(`/v1/models/${encodeURIComponent(modelId)}`);
        return show(options, { json: model, text: describe(model), plain: model.model_id });
      }
      const filter = options.type === undefined ? '' : `?type=${encodeURIComponent(options.type)}`;
      const list = await client.get<{ items: CatalogEntry[] }>(
        (client.apiKey !== null ? '/v1/models' : '/v1/catalog') + filter,
      );
      if (modelId === undefined) {
        const plain = list.items.map((model) => model.model_id).join('\n');
        return show(options, { json: list, text: overview(list.items), plain });
      }
      const model = list.items.find((item) => item.model_id === modelId || item.aliases.includes(modelId));
      if (model === undefined) throw new CommandFault(`There is no model '${modelId}'. List them: darkroom models`);
      show(options, { json: model, text: describe(model), plain: model.model_id });
    });
}

function overview(models: readonly CatalogEntry[]): string {
  const rows = models.map((model) => [model.model_id, model.type, model.vendor, model.pricing.from, model.status]);
  return table(['MODEL', 'TYPE', 'VENDOR', 'FROM USD', 'STATUS'], rows);
}

function describe(model: CatalogEntry): string {
  const rows = Object.entries(model.parameters).map(([name, parameter]) => [
    `--${name.replaceAll('_', '-')}`,
    parameter.default === null || parameter.default === undefined ? '-' : JSON.stringify(parameter.default),
    valuesOf(parameter),
  ]);
  const heading = `${model.model_id}  ${model.name} by ${model.vendor}, ${model.type}, ${model.status}, from ${model.pricing.from} USD`;
  return `${heading}\n${model.description}\n\n${table(['FIELD', 'DEFAULT', 'VALUES'], rows)}`;
}

/** Describes the accepted values of a field. A parameter is a JSON Schema, whose members the catalog does not type. */
function valuesOf(parameter: { readonly enum?: unknown; readonly description?: unknown }): string {
  if (Array.isArray(parameter.enum)) return parameter.enum.join(', ');
  return typeof parameter.description === 'string' ? parameter.description : '';
}
