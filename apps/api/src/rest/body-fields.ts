import { type FieldError, type HttpRoute, type Operation, pathParameters, type Warning } from '@finhook/contracts';
import { pathOf, pointerOf } from '@finhook/core';
import { isRecord } from '../is-record.ts';

interface JsonBody {
  value: unknown;
  /** Number literals that had to be rounded. */
  inexact: readonly FieldError[];
}

/** Leaves out of a body what is no field of it, and names that in warnings. */
export type ReadBodyFields = (body: JsonBody) => JsonBody & { warnings: readonly Warning[] };

/**
 * A body cannot speak for another company, nor say how it is taken: what is in the path, or is one of the operation's
 * query parameters, is no field of the body, whatever it says (D12).
 */
export function createBodyReader({ http }: Operation, route: HttpRoute): ReadBodyFields {
  const elsewhere = new Set([...pathParameters(route.path), ...(http.query ?? [])]);
  return ({ value, inexact }) => {
    const strays = isRecord(value) ? [...elsewhere].filter((name) => Object.hasOwn(value, name)) : [];
    if (!isRecord(value) || strays.length === 0) return { value, inexact, warnings: [] };
    return {
      value: Object.fromEntries(Object.entries(value).filter(([name]) => !elsewhere.has(name))),
      inexact: inexact.filter(({ pointer }) => !elsewhere.has(pathOf(pointer)[0] ?? '')),
      warnings: strays.map(strayField),
    };
  };
}

function strayField(name: string): Warning {
  return {
    code: 'unknown_field',
    pointer: pointerOf([name]),
    message: `${name} is taken from the path or the query; its value in the body was ignored.`,
  };
}
