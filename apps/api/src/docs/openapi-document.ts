import type { HttpRoute } from '@finhook/contracts';
import type { Schema, Schemas } from './schema-fields.ts';

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  schema: Schema;
  example?: unknown;
}

interface DescribedOperation {
  description: string;
  tags: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, Content>> }>>;
}

/** The parts of the OpenAPI document that the pages read. */
export interface OpenApiDocument {
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  components: { schemas: Schemas };
}

/** Parses the document of this service, which has this shape. */
export function asOpenApi(text: string): OpenApiDocument {
  return JSON.parse(text) as OpenApiDocument;
}

export function describedAt({ paths }: OpenApiDocument, { method, path }: HttpRoute): DescribedOperation {
  const described = paths[path]?.[method.toLowerCase()];
  if (!described) throw new Error(`${method} ${path} is not in the OpenAPI document.`);
  return described;
}
