import type { Api, Input, Reply, Route } from '@groundwork/api'
import type { Readable } from 'node:stream'
import type { Context, SessionContext, PublicContext } from './context.ts'

/** An answer with headers of its own. */
export class WithHeaders<Body> {
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** The body of a route that takes bytes. */
export interface Bytes {
  readonly stream: Readable
  /** As declared by the sender; null when it did not. */
  readonly length: number | null
}

/** The answer of a route that sends a file. */
export interface SentFile {
  readonly name: string
  readonly mediaType: string
  readonly sizeBytes: number
  /** Strong: other bytes have another one. */
  readonly etag: string
  /** The bytes from `start` to `end`, both included, or all of them. */
  open(range: { start: number; end: number } | null): Promise<Readable>
}

/** What a route that streams is given beside its query. */
export interface Streaming {
  /** The id of the last record that the reader has; null when it has none. */
  readonly lastEventId: string | null
  /** Aborted when the reader has gone or the program stops serving. */
  readonly signal: AbortSignal
}

type Caller<R extends Route> = R['scope'] extends 'public' ? PublicContext : R['scope'] extends 'session' ? SessionContext : Context
type Given<R extends Route> = Input<R> &
  (R extends { bytes: true } ? { bytes: Bytes } : unknown) &
  (R extends { stream: true } ? { stream: Streaming } : unknown) & { url: string }

type Answer<R extends Route> = R extends { file: true } ? SentFile : Reply<R> | WithHeaders<Reply<R>>

/** One function for each route of the table: a missing one does not compile. */
export type Handlers<A extends Api> = {
  [N in keyof A]: {
    [V in keyof A[N]]: (ctx: Caller<A[N][V]>, input: Given<A[N][V]>) => Promise<Answer<A[N][V]>>
  }
}
