import type { Operation } from '@finhook/contracts';
import type { output } from 'zod';
import type { Context } from './context.ts';

/** The validated input of an operation. */
export type InputOf<O extends Operation> = output<O['input']>;

/** What an operation answers. */
export type OutputOf<O extends Operation> = output<O['output']>;

/** The one function behind an operation. */
type Verb<O extends Operation> = (context: Context, input: InputOf<O>) => Promise<OutputOf<O>>;

/** A tree of verbs in the shape of a branch of the operations table. */
export type Handlers<T> = { readonly [K in keyof T]: T[K] extends Operation ? Verb<T[K]> : Handlers<T[K]> };
