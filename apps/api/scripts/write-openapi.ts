import { createOpenApiDocument } from '../src/rest/openapi/create-openapi-document.ts';

// The document that the service serves as `/api/v1/openapi.json`, without a running service.
process.stdout.write(JSON.stringify(createOpenApiDocument()));
