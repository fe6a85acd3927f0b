import type { Field } from './n8n-interface.ts';

/** Address and key of a service. */
class DarkroomApi {
  readonly name = 'darkroomApi';
  readonly displayName = 'Darkroom API';
  readonly properties: readonly Field[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: 'http://127.0.0.1:8080',
      required: true,
      description: 'Address of the service, without a path',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key of the service. A test key, dk_test_…, costs nothing.',
    },
  ];
  readonly authenticate = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };
  readonly test = { request: { baseURL: '={{$credentials.url}}', url: '/v1/models' } };
}

/** n8n takes the class that has the name of the file. */
export { DarkroomApi as credentials };
