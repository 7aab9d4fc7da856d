import { isTestPath, type NodeOf, pathInRepository, type Rule } from './rule.ts';

const MAX_STATEMENTS = 3;

function isSafe({ typeAnnotation }: NodeOf<'TSAsExpression'>): boolean {
  if (typeAnnotation.type === 'TSUnknownKeyword') return true;
  return (
    typeAnnotation.type === 'TSTypeReference' &&
    typeAnnotation.typeName.type === 'Identifier' &&
    typeAnnotation.typeName.name === 'const'
  );
}

function isReturnedBySmallFunction({ parent }: NodeOf<'TSAsExpression'>): boolean {
  if (parent.type !== 'ReturnStatement' || parent.parent.type !== 'BlockStatement') return false;
  const { body, parent: owner } = parent.parent;
  return owner.type === 'FunctionDeclaration' && body.length <= MAX_STATEMENTS;
}

/**
 * The compiler does not check a cast, so each is the return value of a small named function whose name and comment say why
 * it holds. `as const` and `as unknown` are allowed. The rule can't check that the claim is true.
 */
export const casts: Rule = {
  create: (context) => {
    if (isTestPath(pathInRepository(context))) return {};
    return {
      TSAsExpression(node) {
        if (isSafe(node) || isReturnedBySmallFunction(node)) return;
        context.report({ node, message: 'Cast only in a small named function that returns the cast.' });
      },
    };
  },
};
