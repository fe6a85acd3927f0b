/** One client function cannot send two types of body, so the upload is generated for multipart bodies. */
module.exports = {
  darkroom: {
    input: './openapi.json',
    output: {
      target: './orval/client.ts',
      client: 'fetch',
      baseUrl: process.env.DARKROOM_URL,
      override: { contentType: { include: ['application/json', 'multipart/form-data'] } },
    },
  },
};
