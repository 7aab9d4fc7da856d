// Risk: an import against the dependency rule passes.
import { imports } from './imports.ts';
import { ruleTester } from './test/rule-tester.ts';

const options = [
  {
    owned: [
      { packages: ['@mikro-orm/', 'kysely'], in: ['packages/core'], why: 'Only core' },
      { packages: ['undici'], in: ['packages/delivery'], types: ['*'], why: 'Only delivery' },
      { packages: ['@trpc/server'], in: ['apps/api'], types: ['packages/client'], why: 'Only api' },
    ],
    closed: [{ folder: 'packages/contracts/src', packages: ['zod'] }],
  },
];
const at = (path: string, code: string) => ({
  name: `${path}: ${code}`,
  code,
  filename: `/repository/${path}`,
  options,
});
const rejected = (path: string, code: string, message: RegExp) => ({ ...at(path, code), errors: [message] });

ruleTester.run('imports', imports, {
  valid: [
    at('packages/core/src/x.ts', "import { MikroORM } from '@mikro-orm/postgresql';"),
    at('packages/core-extra/src/x.ts', "import { x } from 'kysely-ctl';"),
    at('packages/runtime/src/x.ts', "import type { Agent } from 'undici';"),
    at('packages/runtime/src/x.ts', "import { type Agent } from 'undici';"),
    at('packages/runtime/src/x.ts', "export type { Agent } from 'undici';"),
    at('packages/client/src/x.ts', "import type { inferRouterInputs } from '@trpc/server';"),
    at('packages/contracts/src/x.ts', "import { z } from 'zod'; import { y } from './y.ts'; export const x = [y, z];"),
    at('packages/contracts/src/x.test.ts', "import { expect } from 'vitest';"),
    at('packages/runtime/test/x.ts', "import { request } from 'undici';"),
    at('packages/runtime/src/x.ts', 'export const x = import(name);'),
    at('vitest.config.ts', "import { request } from 'undici';"),
  ],
  invalid: [
    rejected('packages/core-extra/src/x.ts', "import { x } from '@mikro-orm/core';", /Only core \(@mikro-orm\/core\)/),
    rejected('apps/api/src/x.ts', "import { sql } from 'kysely/helpers';", /Only core/),
    rejected('apps/api/src/x.ts', "import 'undici';", /Only delivery/),
    rejected('apps/api/src/x.ts', "import { request, type Agent } from 'undici';", /Only delivery/),
    rejected('apps/api/src/x.ts', "export { request } from 'undici';", /Only delivery/),
    rejected('apps/api/src/x.ts', "export * from 'undici';", /Only delivery/),
    rejected('apps/api/src/x.ts', "export const x = import('undici');", /Only delivery/),
    rejected('packages/client/src/x.ts', "import { initTRPC } from '@trpc/server';", /Only api/),
    rejected('apps/cli/src/x.ts', "import type { Router } from '@trpc/server/http';", /Only api/),
    rejected('packages/contracts/src/x.ts', "import type { Buffer } from 'node:buffer';", /imports only zod/),
    rejected('packages/core/src/x.ts', "import { fixture } from '../test/fixture.ts';", /not import from tests/),
    rejected('packages/core/src/x.ts', "import { y } from './y.test.ts';", /not import from tests/),
  ],
});
