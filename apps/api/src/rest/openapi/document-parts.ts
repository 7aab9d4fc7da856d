import { eventGroupTags, isRecord, operationGroups } from '@finhook/contracts';
import { tagSlug } from './describe-operation.ts';

type Parts = Readonly<Record<string, unknown>>;

/** A document per tag, by file name: its operations and webhooks, and their components. */
export function documentParts(document: () => string): [name: string, text: () => string][] {
  const tags = [...Object.values(operationGroups), ...Object.values(eventGroupTags)];
  return tags.map((tag) => [tagSlug(tag.name), () => JSON.stringify(partOf(asObject(JSON.parse(document())), tag))]);
}

function partOf(document: Parts, tag: { name: string }): Parts {
  const isTagged = (operation: unknown): boolean => {
    const { tags } = asObject(operation);
    return Array.isArray(tags) && tags.includes(tag.name);
  };
  const components = asObject(document['components']);
  const paths = Object.entries(asObject(document['paths'])).flatMap(([path, item]): [string, object][] => {
    const methods = Object.entries(asObject(item)).filter(([, operation]) => isTagged(operation));
    return methods.length === 0 ? [] : [[path, Object.fromEntries(methods)]];
  });
  const webhooks = Object.entries(asObject(document['webhooks'])).filter(([, item]) =>
    isTagged(asObject(componentAt(components, String(asObject(item)['$ref'])))['post']),
  );
  const part = { paths: Object.fromEntries(paths), webhooks: Object.fromEntries(webhooks) };
  return {
    ...document,
    tags: [tag],
    ...part,
    components: { ...usedComponents(part, components), securitySchemes: components['securitySchemes'] },
  };
}

/** The components that a part refers to, also indirectly, in the order of the document. */
function usedComponents(part: unknown, components: Parts): Record<string, object> {
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(follow);
    if (!isRecord(value)) return;
    const { $ref: ref } = value;
    if (typeof ref === 'string' && !used.has(ref)) {
      used.add(ref);
      follow(componentAt(components, ref));
    }
    Object.values(value).forEach(follow);
  };
  follow(part);
  return Object.fromEntries(
    Object.entries(components).map(([kind, members]) => [
      kind,
      Object.fromEntries(
        Object.entries(asObject(members)).filter(([name]) => used.has(`#/components/${kind}/${name}`)),
      ),
    ]),
  );
}

function componentAt(components: Parts, ref: string): unknown {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(ref) ?? [];
  return asObject(components[kind])[name];
}

function asObject(value: unknown): Parts {
  return isRecord(value) ? value : {};
}
