import type { Field } from './n8n-interface.ts';

const CREATES = { show: { operation: ['create'] } };
const NAMES_A_TASK = { show: { operation: ['get', 'cancel'] } };
const MAKES_FILES = { show: { operation: ['create', 'get'] } };

/** The fields of the node in the editor. */
export const NODE_FIELDS: readonly Field[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    default: 'image',
    options: [
      { name: 'Image', value: 'image' },
      { name: 'Video', value: 'video' },
    ],
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'create',
    options: [
      { name: 'Create', value: 'create', description: 'Order one for each item', action: 'Create' },
      { name: 'Get', value: 'get', description: 'Get a task and its file', action: 'Get' },
      { name: 'Cancel', value: 'cancel', description: 'Cancel a task that is being made', action: 'Cancel' },
    ],
  },
  {
    displayName: 'Model Name or ID',
    name: 'model',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'listModels', loadOptionsDependsOn: ['resource'] },
    default: '',
    required: true,
    displayOptions: CREATES,
    description: 'A model that the key can order',
  },
  {
    displayName: 'Prompt',
    name: 'prompt',
    type: 'string',
    typeOptions: { rows: 3 },
    default: '',
    displayOptions: CREATES,
  },
  {
    displayName: 'Reference Images',
    name: 'references',
    type: 'string',
    default: '',
    placeholder: 'data, logo',
    displayOptions: CREATES,
    description: 'Names of binary fields of the item, with commas between them',
  },
  {
    displayName: 'Fields of the Model',
    name: 'fields',
    type: 'json',
    default: '{}',
    displayOptions: CREATES,
    description: 'Other fields of the order, such as { "aspect_ratio": "16:9", "seed": 7 }',
  },
  {
    displayName: 'Task ID',
    name: 'taskId',
    type: 'string',
    default: '={{ $json.task_id }}',
    required: true,
    displayOptions: NAMES_A_TASK,
  },
  {
    displayName: 'Wait Until It Is Made',
    name: 'waits',
    type: 'boolean',
    default: true,
    displayOptions: MAKES_FILES,
    description: 'Whether the node waits for the task and downloads its file',
  },
  {
    displayName: 'Put File in Field',
    name: 'binaryField',
    type: 'string',
    default: 'data',
    required: true,
    displayOptions: { show: { operation: ['create', 'get'], waits: [true] } },
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    default: {},
    displayOptions: CREATES,
    options: [
      {
        displayName: 'Field of the References',
        name: 'referenceField',
        type: 'string',
        default: 'image_urls',
        description: 'The field of the model that takes the reference images',
      },
      {
        displayName: 'Idempotency Key',
        name: 'idempotencyKey',
        type: 'string',
        default: '',
        description:
          'A text that stands for the order. By default it is made of the execution, the node and the item, so that a retry in the same execution orders nothing twice.',
      },
      {
        displayName: 'Maximum Price',
        name: 'maxPrice',
        type: 'string',
        default: '',
        placeholder: '0.10',
        description: 'The order is refused if its price is higher, in the currency of the service',
      },
    ],
  },
];
