import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Scope } from './scopes.ts'

type Schema = z.ZodType

/** One operation of the API as data. The service, the OpenAPI document, the SDK and the tests are made from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  /** Required scope. `session` routes need a signed-in user and no organization; `public` routes need no credentials. */
  readonly scope: Scope | 'session' | 'public'
  /** Scopes that admit a request as well as `scope`. */
  readonly otherScopes?: readonly Scope[]
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  /** The body can be left out, which is the same as an empty object. */
  readonly bodyOptional?: true
  /** The body is bytes instead of JSON; the handler reads it as a stream. */
  readonly bytes?: true
  /** The response is a stream of server-sent events, each a record of the form `reply`. */
  readonly stream?: true
  /** A POST that changes nothing. It has a body because the request may be long. */
  readonly reads?: true
  /** The response is a stored file, whole or the requested range of it. */
  readonly file?: true
  /** The response is CSV with this file name, streamed row by row. */
  readonly csv?: string
  /** The response is a file of one of these media types, streamed as it is made. */
  readonly download?: readonly string[]
  /** Field of `reply` that is the whole response if the client prefers text/plain to JSON. */
  readonly plain?: string
  readonly status: 200 | 201 | 202 | 204
  /** Description of the successful response. Without it, the description follows from the form of the route. */
  readonly answer?: string
  readonly reply?: Schema
  /** For 201: the path of the created record, unless it is the request's path followed by the id. */
  readonly location?: `/${string}`
  /** Additional response headers with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>
  /** Error codes beyond those of every route of this form. */
  readonly errors?: readonly ErrorCode[]
}

export const route = <const R extends Route>(r: R): R => r

export type Api = { readonly [resource: string]: { readonly [verb: string]: Route } }

type Parsed<R, K extends string> = R extends Record<K, infer S extends Schema> ? { [P in K]: z.output<S> } : unknown
/** Input of a handler: parameters, query and body in the output form of their schemas. */
export type Input<R> = Parsed<R, 'params'> & Parsed<R, 'query'> & Parsed<R, 'body'>
/** Result of a handler; the response contains only the fields of the schema. In a stream, null is a keep-alive. */
export type Reply<R> = R extends { reply: infer S extends Schema }
  ? R extends { stream: true }
    ? AsyncIterable<z.input<S> | null>
    : z.input<S>
  : void

/** Request of a client: the input form of the schema. */
export type Sent<R, K extends 'query' | 'body'> = R extends Record<K, infer S extends Schema> ? z.input<S> : never
/** Response to a client. */
export type Received<R> = R extends { reply: infer S extends Schema } ? z.output<S> : void
