import { isTestPath, type NodeOf, pathInRepository, type Rule } from './rule.ts';

/** A function that casts does nothing else worth reading. */
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
 * A cast tells the compiler to believe us, so it stands alone: it is what a small named function returns, whose name
 * and comment say why it holds. `as const` and `as unknown` claim nothing. Whether the claim is true is for a reader.
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
