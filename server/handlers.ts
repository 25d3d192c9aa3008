import type { Api, Input, Reply, Route } from '@groundwork/api'
import type { Readable } from 'node:stream'
import type { Context } from './context.ts'
import type { PublicContext, SessionContext } from './identity/context.ts'

/** A reply body with additional response headers. */
export class WithHeaders<Body> {
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** The body of a route that accepts binary data. */
export interface BinaryBody {
  readonly stream: Readable
  /** The Content-Length; null if the client sent none. */
  readonly length: number | null
}

/** The result of a handler that sends a file. */
export interface FileResponse {
  readonly name: string
  readonly mediaType: string
  readonly sizeBytes: number
  /** A strong entity tag. */
  readonly etag: string
  /** Opens the bytes from `start` to `end`, both inclusive, or the whole file. */
  open(range: { start: number; end: number } | null): Promise<Readable>
}

/** The result of a handler that makes a file while it is sent. */
export interface Download {
  readonly name: string
  readonly mediaType: string
  readonly bytes: AsyncIterable<string | Uint8Array>
}

/** Additional input of a streaming handler. */
export interface StreamOptions {
  /** The Last-Event-ID header; null if the client sent none. */
  readonly lastEventId: string | null
  /** Aborted when the client disconnects or the program shuts down. */
  readonly signal: AbortSignal
}

type HandlerContext<R extends Route> = R['scope'] extends 'public' ? PublicContext : R['scope'] extends 'session' ? SessionContext : Context
type HandlerInput<R extends Route> = Input<R> &
  (R extends { bytes: true } ? { bytes: BinaryBody } : unknown) &
  (R extends { stream: true } ? { stream: StreamOptions } : unknown) & { url: string }

type HandlerResult<R extends Route> = R extends { file: true }
  ? FileResponse
  : R extends { csv: string }
    ? AsyncIterable<string>
    : R extends { download: readonly string[] }
      ? Download
      : Reply<R> | WithHeaders<Reply<R>>

/**
 * One function for each route of the route table. A missing one is a type error. `Services` are those that the functions need
 * besides the services of every context.
 */
export type Handlers<A extends Api, Services = unknown> = {
  [N in keyof A]: {
    [V in keyof A[N]]: (ctx: HandlerContext<A[N][V]> & Services, input: HandlerInput<A[N][V]>) => Promise<HandlerResult<A[N][V]>>
  }
}
