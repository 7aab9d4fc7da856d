import { type AnyEventType, allEventTypes, errorCodes, type Operation, operationGroups } from '@finhook/contracts';
import { documentedOperations } from '../rest/openapi/create-openapi-document.ts';
import { tagOf } from '../rest/openapi/describe-operation.ts';
import { errorCodePage } from './error-page.ts';
import { eventPage } from './event-page.ts';
import { guidePages } from './guides.ts';
import { errorsPage, eventsPage, operationsPage, startPage, type Tag } from './index-pages.ts';
import { operationPage } from './operation-page.ts';
import type { Page } from './page.ts';

export interface Site {
  pages: ReadonlyMap<string, Page>;
  guides: readonly Page[];
  tags: readonly Tag[];
  events: readonly Page[];
}

/** Writes the Markdown of a page when it is needed. */
export function createSite(operations: readonly Operation[]): Site {
  const list = documentedOperations(operations);
  const guides = guidePages();
  const tags = tagsOf(list);
  const events = allEventTypes.map((type: AnyEventType) => eventPage(type, list));
  const problems = errorCodes.map((name) => errorCodePage(name, list));
  const pages = [
    startPage(guides, tags),
    ...guides,
    operationsPage(tags),
    ...tags.flatMap((tag) => tag.operations.map(operationPage)),
    eventsPage(allEventTypes),
    ...events,
    errorsPage(),
    ...problems,
  ];
  return { pages: new Map(pages.map((page) => [page.path, page])), guides, tags, events };
}

function tagsOf(list: readonly Operation[]): Tag[] {
  const byTag = Map.groupBy(list, tagOf);
  return Object.values(operationGroups).flatMap((group) => {
    const operations = byTag.get(group.name);
    return operations ? [{ ...group, operations }] : [];
  });
}
