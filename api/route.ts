import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Scope } from './scopes.ts'

type Schema = z.ZodType

/** One operation of the API, as data: what is served, validated, documented and tested is read from here. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  /** What the token or the role must be allowed; `session` routes want a signed-in user and no organization, `public` ones nobody. */
  readonly scope: Scope | 'session' | 'public'
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  /** The body is not JSON but bytes, which the verb reads as a stream. */
  readonly bytes?: true
  /** The answer goes on: records of the form `reply`, sent one by one as server-sent events. */
  readonly stream?: true
  /** A POST that changes nothing: what it asks is in a body because it may be long. */
  readonly reads?: true
  /** The answer is a file, as it was received: whole, or the range that is asked for. */
  readonly file?: true
  /** The field of `reply` that is the answer by itself to who accepts text/plain rather than JSON. */
  readonly plain?: string
  readonly status: 200 | 201 | 202 | 204
  readonly reply?: Schema
  /** Of a 201: the path that answers what was created, where it is not the path of the request and the id of the reply. */
  readonly location?: `/${string}`
  /** Headers of the answer that carry news, with what they say. */
  readonly headers?: Readonly<Record<string, string>>
  /** Codes beyond those that any route of its form can answer. */
  readonly errors?: readonly ErrorCode[]
}

export const route = <const R extends Route>(r: R): R => r

export type Api = { readonly [resource: string]: { readonly [verb: string]: Route } }

type Parsed<R, K extends string> = R extends Record<K, infer S extends Schema> ? { [P in K]: z.output<S> } : unknown
/** What a verb is given: everything that the schemas let through, in their output form. */
export type Input<R> = Parsed<R, 'params'> & Parsed<R, 'query'> & Parsed<R, 'body'>
/** What a verb gives back; it is cut to the schema on its way out. In a stream, null is a sign of life without news. */
export type Reply<R> = R extends { reply: infer S extends Schema }
  ? R extends { stream: true }
    ? AsyncIterable<z.input<S> | null>
    : z.input<S>
  : void

/** What a client sends: the form that the schema takes in. */
export type Sent<R, K extends 'query' | 'body'> = R extends Record<K, infer S extends Schema> ? z.input<S> : never
/** What a client receives: the reply as it was cut. */
export type Received<R> = R extends { reply: infer S extends Schema } ? z.output<S> : void
